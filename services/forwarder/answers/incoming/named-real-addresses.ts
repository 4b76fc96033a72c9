import { LRUCache } from "lru-cache";
import type { bindingsContract } from "../../../bindings/contract.ts";
import { domainOf, withAsciiDomain } from "../../../message/address/addr-spec.ts";
import type { Database } from "../../../platform/db/types.ts";
import { prune, pruneLimit } from "../../../platform/jobs/prune.ts";
import type { Client } from "../../../platform/rpc/contract.ts";
import type { Forward } from "../../deliveries/delivery.ts";
import { isNamedIn } from "./named-in-message.ts";

interface NamedRealAddressesOptions {
  db: Database;
  bindings: Pick<Client<typeof bindingsContract>, "realAddresses">;
  serviceDomain: string;
}

/** How long answers of a binding are looked at more closely after somebody named a real address of its owner's. */
const rememberedDays = 90;
const cachedMs = 30_000;
const maxCached = 10_000;

/**
 * Knows the bindings to which somebody wrote a real address of their owner's in a message, or more than is searched. It may be a guess,
 * and how the quotation of it comes back would tell whether it is right: as written where it is wrong, as the proxy address where it is
 * right.
 */
export class NamedRealAddresses {
  readonly #options: NamedRealAddressesOptions;
  readonly #realAddresses = new LRUCache<string, string[]>({ max: maxCached, ttl: cachedMs });
  /** By email id: the targets of an email share one look. */
  readonly #looks = new LRUCache<string, Promise<void>>({ max: maxCached });

  constructor(options: NamedRealAddressesOptions) {
    this.#options = options;
  }

  /** Notes whether a message names one, before it is forwarded: nobody can quote it earlier. @throws Outage */
  note(source: () => AsyncIterable<Buffer>, forward: Forward): Promise<void> {
    const known = this.#looks.get(forward.emailId);
    if (known) return known;
    const look = this.#look(source, forward);
    this.#looks.set(forward.emailId, look);
    look.catch(() => this.#looks.delete(forward.emailId));
    return look;
  }

  /** Whether somebody named one to the binding lately. */
  async isNamed(bindingId: string): Promise<boolean> {
    const { rowCount } = await this.#options.db.query(
      "select from named_real_address where binding_id = $1 and noted_at > now() - make_interval(days => $2)",
      [bindingId, rememberedDays],
      { name: "named_real_address" },
    );
    return rowCount > 0;
  }

  async #look(source: () => AsyncIterable<Buffer>, forward: Forward): Promise<void> {
    const { bindingId, ownerId, proxyAddress } = forward;
    const realAddresses = await this.#realAddressesOfOwner(bindingId);
    const ownDomains = [domainOf(withAsciiDomain(proxyAddress)), this.#options.serviceDomain];
    if (realAddresses.length === 0 || !(await isNamedIn(source(), realAddresses, ownDomains))) return;
    await this.#options.db.query(
      `insert into named_real_address (binding_id, owner_id) values ($1, $2)
       on conflict (binding_id) do update set noted_at = now()`,
      [bindingId, ownerId],
    );
  }

  async #realAddressesOfOwner(bindingId: string): Promise<string[]> {
    const known = this.#realAddresses.get(bindingId);
    if (known) return known;
    const { addresses } = await this.#options.bindings.realAddresses({ bindingId });
    this.#realAddresses.set(bindingId, addresses);
    return addresses;
  }
}

/** Forgets a bounded number of bindings to which nobody named any for long. @returns whether there may be more */
export async function pruneNamedRealAddresses(db: Database): Promise<boolean> {
  const where = "noted_at < now() - make_interval(days => $1)";
  const pruning = { table: "named_real_address", key: "binding_id", where, orderBy: "noted_at", limit: pruneLimit };
  return (await prune(db, pruning, [rememberedDays])).mayBeMore;
}
