const secondsPerDay = 86_400;

/** What one message costs, as it was measured. */
export interface Costs {
  source: string;
  /** Of each part of a fleet. */
  cpuSecondsPerThousand: Readonly<Record<string, number>>;
  /** In all databases: rows, indexes and the message's own bytes. */
  storedBytesPerMessage: number;
}

/** What was not measured, and may be told otherwise. */
export interface Assumptions {
  /** Which part of what PostgreSQL does is done for which service. */
  databaseShare: Readonly<Record<string, number>>;
  eventsPerMessage: number;
  eventBytes: number;
  /** Bytes of the write-ahead log for each byte that is stored. */
  walPerStoredByte: number;
  /** Of all messages, how many are kept with their bytes: from 0 to 1. */
  keptShare: number;
  keptDays: number;
  /** How much of a core is to be used at most: the rest is for peaks and for what fails. */
  utilisation: number;
  /** What one reader of a partition handles a second. */
  eventsPerPartitionPerS: number;
  /** What one PostgreSQL can write to its log. */
  walBytesPerSPerDatabase: number;
  /** What one PostgreSQL can have of cores. */
  coresPerDatabase: number;
}

interface Database {
  cores: number;
  walBytesPerS: number;
  /** Over how many servers its owners have to be spread. */
  servers: number;
}

interface Plan {
  keptPerS: number;
  releasedPerS: number;
  /** By part of the fleet. */
  cores: ReadonlyMap<string, number>;
  partitions: number;
  busBytesPerS: number;
  /** By service. */
  databases: ReadonlyMap<string, Database>;
  storedBytes: number;
}

/** All grows in step with the messages; what does not is said in docs/scale.md. */
export function planFor(costs: Costs, assumptions: Assumptions, messagesPerS: number): Plan {
  const { databaseShare, eventsPerMessage, walPerStoredByte, keptShare, keptDays, utilisation } = assumptions;
  const coresOf = (secondsPerThousand: number) => (secondsPerThousand * messagesPerS) / 1_000 / utilisation;
  const cores = new Map(Object.entries(costs.cpuSecondsPerThousand).map(([part, cost]) => [part, coresOf(cost)]));
  const keptPerS = messagesPerS * keptShare;
  const walBytesPerS = messagesPerS * costs.storedBytesPerMessage * walPerStoredByte;
  const databases = Object.entries(databaseShare).map(([service, share]): [string, Database] => {
    const own = { cores: (cores.get("PostgreSQL") ?? 0) * share, walBytesPerS: walBytesPerS * share };
    const byCores = own.cores / assumptions.coresPerDatabase;
    const byLog = own.walBytesPerS / assumptions.walBytesPerSPerDatabase;
    return [service, { ...own, servers: Math.ceil(Math.max(byCores, byLog)) }];
  });
  return {
    keptPerS,
    releasedPerS: messagesPerS - keptPerS,
    cores,
    // A topic has about one event of each message.
    partitions: Math.ceil(messagesPerS / assumptions.eventsPerPartitionPerS),
    busBytesPerS: messagesPerS * eventsPerMessage * assumptions.eventBytes,
    databases: new Map(databases),
    storedBytes: keptPerS * costs.storedBytesPerMessage * keptDays * secondsPerDay,
  };
}
