import type { z } from "zod";
import { Refusal } from "../../platform/errors.ts";
import type { GraphRequest } from "../../platform/graph/graph-request.ts";
import type { Implementation } from "../../platform/rpc/contract.ts";
import type { bindingsContract } from "../contract.ts";
import type { Import, ImportSource } from "../imports/contract.ts";

type Procedures = Implementation<typeof bindingsContract>;
type Job = z.output<typeof Import>;
type Source = z.output<typeof ImportSource>;

/** Whose import it is, and what an API key holds it to. */
type Asker = Pick<GraphRequest, "ownerId" | "caller">;

interface Reference {
  readonly id: string;
}

interface Input {
  readonly source: string;
  readonly content?: string | null;
  readonly baseUrl?: string | null;
  readonly key?: string | null;
}

const maxRows = 1_000;

/** A name in GraphQL has no hyphen. */
const inGraph = (job: Job) => ({ ...job, source: job.source.replace("-", "_") });

export function importFields(procedures: Procedures) {
  return {
    progress: ({ state, total, done }: Job) => (total === 0 ? Number(state === "done") : done / total),
    rows: (
      { id }: Reference,
      { first, after }: { first?: number | null; after?: number | null },
      { ownerId }: Pick<GraphRequest, "ownerId">,
    ) => {
      const wanted = first ?? 100;
      if (wanted < 1 || wanted > maxRows || (after ?? 0) < 0)
        throw new Refusal("ValidationFailed", { field: "first", public: `must be from 1 to ${maxRows}.` });
      return procedures.importRows({ ownerId, id, first: wanted, after: after ?? undefined });
    },
  };
}

export function importQueries(procedures: Procedures) {
  return {
    imports: async (_source: unknown, _args: unknown, { ownerId }: Asker) =>
      (await procedures.imports({ ownerId })).map(inGraph),
    importJob: async (_source: unknown, { id }: Reference, { ownerId }: Asker) =>
      inGraph(await procedures.importJob({ ownerId, id })),
  };
}

export function importMutations(procedures: Procedures) {
  return {
    importDryRun: async (_source: unknown, { input }: { input: Input }, { ownerId }: Asker) => {
      const { source, content, baseUrl, key } = input;
      const job = await procedures.importDryRun({
        ownerId,
        source: source.replace("_", "-") as Source,
        content: content ?? undefined,
        baseUrl: baseUrl ?? undefined,
        key: key ?? undefined,
      });
      return inGraph(job);
    },
    startImport: async (
      _source: unknown,
      { id, makesNewAddresses }: Reference & { makesNewAddresses: boolean },
      { ownerId, caller }: Asker,
    ) => inGraph(await procedures.startImport({ ownerId, id, makesNewAddresses, apiKey: caller.key })),
    removeImport: async (_source: unknown, { id }: Reference, { ownerId }: Asker) => {
      await procedures.removeImport({ ownerId, id });
      return { id };
    },
  };
}
