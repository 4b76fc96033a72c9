import type { Database } from "../../platform/db/types.ts";
import type { DueRow, DueTable } from "../../platform/jobs/claim-due.ts";
import { DueWorker, dueAgain } from "../../platform/jobs/due-worker.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { webhookContract } from "../../webhook/contract.ts";
import { type CheckedEntry, checkEntries } from "./check-entries.ts";
import { importLimits } from "./contract.ts";
import { type Entry, storable } from "./entries.ts";
import { type MakingParts, makeEntry } from "./make-entry.ts";
import { type ApiKey, insertImportEntries, type WaitingEntry } from "./rows.ts";
import { pageUrl, readPage } from "./simplelogin.ts";

/** Entries made before others have their turn. */
const batchSize = 20;
/** Of another service's list: more than anybody has. */
const maxPages = 500;

interface DueImport extends DueRow {
  readonly id: string;
  readonly ownerId: string;
  readonly state: "reading" | "waiting";
  readonly baseUrl: string | null;
  readonly sealedKey: Buffer | null;
  readonly nextPage: number;
  /** Entries so far. */
  readonly total: number;
  readonly apiKey: ApiKey | null;
  readonly makesNewAddresses: boolean;
}

const table: DueTable<DueImport> = {
  name: "import",
  key: { column: "id", of: ({ id }) => id },
  columns: "id, owner_id, state, base_url, sealed_key, next_page, total, api_key, makes_new_addresses",
  claimable: "state in ('reading', 'waiting')",
};

interface ImportWorkOptions extends MakingParts {
  db: Database;
  sealer: Sealer;
  webhook: Pick<Client<typeof webhookContract>, "read">;
  metrics: Metrics;
}

/** Reads and makes imports, a page or a batch at a time. */
export function importWork(options: ImportWorkOptions): DueWorker<DueImport> {
  const { db, logger, metrics } = options;
  return new DueWorker({
    name: "imports",
    db,
    table,
    intervalMs: 5_000,
    limit: 4,
    visibilityTimeoutS: 120,
    process: (row) => (row.state === "reading" ? readNextPage(options, row) : makeNextBatch(options, row)),
    giveUp: (row) => failed(db, row, row.state === "reading" ? "It could not be read." : "It could not be made."),
    logger,
    metrics,
  });
}

/** The next page of the list of another service. Its key is kept no longer than that takes. */
async function readNextPage(options: ImportWorkOptions, row: DueImport): Promise<void> {
  const { db, sealer, webhook } = options;
  if (!row.baseUrl || !row.sealedKey) return failed(db, row, "There is nothing to read it with.");
  const headers = { authentication: sealer.open(row.sealedKey, `import ${row.id}`) };
  const answer = await webhook.read({ url: pageUrl(row.baseUrl, row.nextPage), headers });
  if (answer.status === 429 || (answer.status !== null && answer.status >= 500))
    return retryLater(db, row, `The service answered ${answer.status}.`);
  if (answer.status === null) return retryLater(db, row, answer.failure);
  if (answer.status === 401 || answer.status === 403)
    return failed(db, row, `The service answered ${answer.status}: it refused the key.`);
  if (answer.status !== 200) return failed(db, row, `The service answered ${answer.status}.`);
  const page = readPage(answer.text);
  if (!page) return failed(db, row, "What the service answered is no list of aliases.");
  const from = row.total;
  const taken = page.slice(0, importLimits.entries - from).map(storable);
  const isCut = taken.length < page.length || (page.length > 0 && row.nextPage + 1 >= maxPages);
  const isLast = page.length === 0 || isCut;
  const checked = isLast ? await checkAll(options, row, taken) : taken.map(unchecked);
  await db.tx(async (tx) => {
    const { rowCount } = await tx.query(
      `update import set next_page = next_page + 1, due_at = now(), attempt_count = 0,
              state = case when $3 then 'checked' else state end, sealed_key = case when $3 then null else sealed_key end,
              fault = case when $4 then $5 end
        where id = $1 and next_page = $2 and state = 'reading'`,
      [row.id, row.nextPage, isLast, isCut, `No more than its first ${from + taken.length} addresses were read.`],
    );
    // Removed meanwhile, or another process was quicker.
    if (rowCount === 0) return;
    if (isLast) await tx.query("delete from import_entry where import_id = $1", [row.id]);
    await insertImportEntries(tx, row.id, checked, isLast ? 0 : from);
  });
}

/** The entries of all pages together: what is there twice, and what exceeds the quota, shows only then. */
async function checkAll(
  { db, dependencies }: ImportWorkOptions,
  { id, ownerId }: DueImport,
  lastPage: readonly Entry[],
): Promise<CheckedEntry[]> {
  const { rows } = await db.query<{ entry: Entry }>(
    "select entry from import_entry where import_id = $1 order by position",
    [id],
  );
  return checkEntries({ ...dependencies, ownerId }, [...rows.map(({ entry }) => entry), ...lastPage]);
}

/** While further pages are read nobody is shown it. */
function unchecked(entry: Entry): CheckedEntry {
  return { entry, verdict: "same", detail: "", addressKey: null };
}

/** A service that is busy or away is asked some more times. */
async function retryLater(db: Database, row: DueImport, why: string): Promise<void> {
  if (row.attemptCount >= 3) return failed(db, row, why);
  await db.query("update import set due_at = now() + make_interval(secs => $2) where id = $1", [
    row.id,
    5 * row.attemptCount,
  ]);
}

async function failed(db: Database, { id, state }: DueImport, fault: string): Promise<void> {
  await db.query(
    "update import set state = 'failed', fault = $2, sealed_key = null, finished_at = now() where id = $1 and state = $3",
    [id, fault, state],
  );
}

async function makeNextBatch(options: ImportWorkOptions, row: DueImport): Promise<void> {
  const { db } = options;
  const { rows } = await db.query<Omit<WaitingEntry, "importId">>(
    "select position, entry from import_entry where import_id = $1 and state = 'waiting' order by position limit $2",
    [row.id, batchSize],
  );
  const { ownerId, makesNewAddresses } = row;
  const maker = { ownerId, apiKey: row.apiKey ?? undefined, makesNewAddresses, contactRoom: { left: 0 } };
  for (const each of rows) await makeEntry(options, maker, { importId: row.id, ...each });
  if (rows.length === batchSize) return dueAgain(db, table, row, 0);
  await db.query("update import set state = 'done', finished_at = now() where id = $1 and state = 'waiting'", [row.id]);
}
