import type { z } from "zod";
import type { Transaction } from "../../platform/db/types.ts";
import { invalidField, Refusal } from "../../platform/errors.ts";
import { isId, newId } from "../../platform/ids.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import type { Sealer } from "../../platform/security/sealing.ts";
import type { bindingsContract } from "../contract.ts";
import { lockOwner } from "../owners/owners.ts";
import type { BindingDependencies } from "../proxy-bindings/create.ts";
import { checkEntries } from "./check-entries.ts";
import type { ImportSource } from "./contract.ts";
import { readAddresses } from "./csv.ts";
import { type Entry, storable } from "./entries.ts";
import { readExport } from "./postern.ts";
import {
  type ApiKey,
  type Import,
  type ImportRow,
  insertImportEntries,
  noSuchImport,
  selectImport,
  selectImports,
  selectRows,
} from "./rows.ts";
import { checkAccess } from "./simplelogin.ts";

type DryRun = z.output<typeof bindingsContract.procedures.importDryRun.input>;

/** What an account keeps of them: a new one takes the place of the oldest. */
const keptPerAccount = 10;

interface ImportsOptions {
  dependencies: BindingDependencies;
  perHour: Limit;
  /** Keeps the key of another service's API while that is read. */
  sealer: Sealer;
  /** Called when one is due. */
  wake(): void;
}

/** Imports: a dry run that makes nothing, then a job that makes what it listed. */
export class Imports {
  readonly #options: ImportsOptions;

  constructor(options: ImportsOptions) {
    this.#options = options;
  }

  /** @throws Refusal ValidationFailed, RateLimited, NotFound */
  async dryRun({ ownerId, source, content, baseUrl, key }: DryRun): Promise<Import> {
    const { dependencies, perHour } = this.#options;
    const access =
      source === "simplelogin-api" ? checkAccess(dependencies.callbackUrls.check(baseUrl, "baseUrl"), key) : undefined;
    const { isAllowed, retryAfterS } = await perHour.consume(ownerId);
    if (!isAllowed) throw new Refusal("RateLimited", { public: "Enough imports were begun for now.", retryAfterS });
    const entries = access ? [] : (await read(source, content)).map(storable);
    await dependencies.owners.ensureKnown(ownerId);
    const checked = await checkEntries({ ...dependencies, ownerId }, entries);
    const id = newId();
    await dependencies.db.tx(async (tx) => {
      await lockOwner(tx, ownerId);
      await makeRoom(tx, ownerId);
      await tx.query(
        "insert into import (id, owner_id, source, state, base_url, sealed_key) values ($1, $2, $3, $4, $5, $6)",
        [
          ...[id, ownerId, source, access ? "reading" : "checked"],
          ...[access?.baseUrl ?? null, access ? this.#options.sealer.seal(access.key, `import ${id}`) : null],
        ],
      );
      await insertImportEntries(tx, id, checked, 0);
      if (access) tx.afterCommit(() => this.#options.wake());
    });
    return this.job(ownerId, id);
  }

  /** @throws Refusal NotFound; Conflict while it is read or made, or where it failed */
  async start(ownerId: string, id: string, makesNewAddresses: boolean, apiKey: ApiKey | undefined): Promise<Import> {
    const { db } = this.#options.dependencies;
    await db.tx(async (tx) => {
      await lockOwner(tx, ownerId, noSuchImport);
      const { state } = await selectImport(tx, ownerId, id);
      if (state !== "checked" && state !== "done")
        throw new Refusal("Conflict", {
          public:
            state === "failed" ? "It failed: begin again; what it has made stays." : "It is not ready to be started.",
        });
      // What is there twice, or is no address, is never made; what exceeded the quota may have room by now.
      await tx.query(
        `update import_entry set state = case when verdict = 'refused' and address_key is null then 'refused' else 'waiting' end
          where import_id = $1 and (state in ('left', 'refused') or verdict = 'refused' and address_key is null)`,
        [id],
      );
      await tx.query(
        `update import set state = 'waiting', makes_new_addresses = $2, api_key = $3, due_at = now(), attempt_count = 0, finished_at = null,
                total = counted.total, done = counted.done
           from (select count(*) as total, count(*) filter (where state <> 'waiting') as done from import_entry where import_id = $1) as counted
          where id = $1`,
        [id, makesNewAddresses, apiKey ? JSON.stringify(apiKey) : null],
      );
      tx.afterCommit(() => this.#options.wake());
    });
    return this.job(ownerId, id);
  }

  list(ownerId: string): Promise<Import[]> {
    return selectImports(this.#options.dependencies.db, ownerId);
  }

  /** @throws Refusal NotFound */
  job(ownerId: string, id: string): Promise<Import> {
    return selectImport(this.#options.dependencies.db, ownerId, id);
  }

  /** @throws Refusal NotFound */
  async rows(ownerId: string, id: string, page: { first: number; after?: number | undefined }): Promise<ImportRow[]> {
    const { state } = await this.job(ownerId, id);
    // They are checked once all of them are read.
    return state === "reading" ? [] : selectRows(this.#options.dependencies.db, id, page);
  }

  /** What it made stays. @throws Refusal NotFound */
  async remove(ownerId: string, id: string): Promise<void> {
    const { rowCount } = await this.#options.dependencies.db.query(
      "delete from import where id = $1 and owner_id = $2",
      [isId(id) ? id : null, ownerId],
    );
    if (rowCount === 0) throw noSuchImport();
  }
}

async function read(source: z.output<typeof ImportSource>, content: string | undefined): Promise<Entry[]> {
  if (content === undefined) throw invalidField("content", "is needed: what the file holds.");
  return source === "postern" ? readExport(content) : readAddresses(content);
}

/** @throws Refusal Conflict where all of them are at work */
async function makeRoom(tx: Transaction, ownerId: string): Promise<void> {
  await tx.query(
    `delete from import where id in (
       select id from import where owner_id = $1 and state not in ('reading', 'waiting') order by created_at desc, id desc offset $2)`,
    [ownerId, keptPerAccount - 1],
  );
  const { rows } = await tx.query<{ count: number }>("select count(*) from import where owner_id = $1", [ownerId]);
  if ((rows[0]?.count ?? 0) >= keptPerAccount)
    throw new Refusal("Conflict", { public: "Enough imports are at work: wait for one to end." });
}
