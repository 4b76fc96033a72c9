import { z } from "zod";
import { GivenId } from "../../platform/rpc/given-id.ts";

const importSources = ["simplelogin", "simplelogin-api", "addy", "relay", "postern"] as const;

/** What a request may hold at most. */
export const importLimits = {
  /** Characters of a file. */
  characters: 10 * 1024 * 1024,
  /** Addresses, contacts, rules, domains and pattern lists, all together. */
  entries: 10_000,
} as const;

export const ImportSource = z.enum(importSources);

/** reading: from another service's API; checked: read, and nothing made yet; waiting: being made; failed: it could not be read, or the making of it ended. */
const ImportState = z.enum(["reading", "checked", "waiting", "done", "failed"]);

/** same: it keeps its address, unless that is somebody else's; new: it gets another; exists: there is nothing to do. */
const ImportVerdict = z.enum(["same", "new", "exists", "refused"]);

export const Import = z.object({
  id: z.uuid(),
  source: ImportSource,
  state: ImportState,
  /** Why it failed, or what of the list was not read; else "". */
  fault: z.string(),
  /** Rows, and those of them that came to their end. */
  total: z.number().int(),
  done: z.number().int(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});

export const ImportRow = z.object({
  position: z.number().int(),
  kind: z.enum(["domain", "address", "patterns", "contact", "rule"]),
  /** What stood in the source: an address, a domain, a contact's address. */
  old: z.string(),
  /** What became of an address, or the reverse address of a contact; null before. */
  new: z.string().nullable(),
  verdict: ImportVerdict,
  state: z.enum(["waiting", "done", "left", "refused"]),
  /** Why, where it is refused or gets another address. */
  detail: z.string(),
});

const Owned = z.object({ ownerId: z.uuid(), id: GivenId });

/** Imports of what an account has at another service or installation. Errors: ValidationFailed, NotFound, Conflict, RateLimited. @param apiKey what an API key holds it to */
export const importProcedures = <ApiKey extends z.ZodType>(apiKey: ApiKey) =>
  ({
    /** Reads and checks; makes nothing. */
    importDryRun: {
      kind: "mutation",
      input: z.object({
        ownerId: z.uuid(),
        source: ImportSource,
        /** The file, for all but simplelogin-api. */
        content: z.string().max(importLimits.characters).optional(),
        /** For simplelogin-api. */
        baseUrl: z.string().optional(),
        key: z.string().optional(),
      }),
      output: Import,
    },
    /** Makes what was read; started again, what was refused or left before is tried again. */
    startImport: {
      kind: "mutation",
      input: Owned.extend({ makesNewAddresses: z.boolean(), apiKey }),
      output: Import,
    },
    /** Newest first. */
    imports: { kind: "query", input: z.object({ ownerId: z.uuid() }), output: z.array(Import) },
    importJob: { kind: "query", input: Owned, output: Import },
    importRows: {
      kind: "query",
      input: Owned.extend({
        first: z.number().int().positive().max(1_000),
        /** The position of the last row of a former page. */
        after: z.number().int().nonnegative().optional(),
      }),
      output: z.array(ImportRow),
    },
    /** What was made stays. */
    removeImport: { kind: "mutation", input: Owned, output: z.object({}) },
  }) as const;
