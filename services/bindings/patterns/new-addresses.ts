import type { z } from "zod";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { bindingsContract } from "../contract.ts";

type NewAddress = z.output<typeof bindingsContract.procedures.reserveNewAddresses.input>["addresses"][number];

/** New addresses of one domain by patterns: within a day, and at all. */
const perDay = 100;
const inAll = 1_000;

/** New addresses of a domain that there are or that mail was accepted for. */
export interface NewAddressCounts {
  newInHour: number;
  newInDay: number;
  inAll: number;
}

/** A row with the members of NewAddressCounts, for each row of `domain`. */
export const newAddressCounts = `
  (select count(*) filter (where at > now() - interval '1 hour') as new_in_hour,
          count(*) filter (where at > now() - interval '1 day') as new_in_day, count(*) as in_all
     from (select created_at as at from binding
            where own_domain = domain.name and binding.owner_id = domain.owner_id and is_from_pattern
           union all
           select promised_at from promised_address
            where domain_id = domain.id and not exists (select from binding where binding.id = binding_id)) as new_address)`;

const reservations = recordSet({ bindingId: "uuid" });

/** How many more a pattern takes now; 0 or less for none. */
export function remainingNewAddresses(counts: NewAddressCounts, perHour: number): number {
  return Math.min(perHour - counts.newInHour, perDay - counts.newInDay, inAll - counts.inAll);
}

/**
 * Counts new addresses towards the limits before mail to them is accepted, since accepted mail always makes its binding. An address that is
 * reserved or made already counts once. The domains are locked, in the order of their ids.
 * @throws Refusal RateLimited where one is over its limit; none is counted then
 */
export async function reserveNewAddresses(db: Database, addresses: readonly NewAddress[]): Promise<void> {
  const domainIds = [...new Set(addresses.map(({ domainId }) => domainId))].sort();
  await db.tx(async (tx) => {
    for (const domainId of domainIds)
      await reserveOn(
        tx,
        domainId,
        addresses.filter((address) => address.domainId === domainId),
      );
  });
}

async function reserveOn(tx: Transaction, domainId: string, addresses: readonly NewAddress[]): Promise<void> {
  await tx.query("select from domain where id = $1 for update", [domainId]);
  await tx.query("delete from promised_address where domain_id = $1 and promised_at < now() - interval '1 day'", [
    domainId,
  ]);
  const unique = [...new Set(addresses.map(({ bindingId }) => bindingId))];
  const { rowCount } = await tx.query(
    `insert into promised_address (binding_id, domain_id)
     select binding_id, domain.id from ${reservations.from("given", 2)}, domain
      where domain.id = $1 and not exists (select from binding where id = binding_id)
     on conflict do nothing`,
    [domainId, ...reservations.params(unique.map((bindingId) => ({ bindingId })))],
  );
  if (rowCount === 0) return;
  const { rows } = await tx.query<NewAddressCounts>(
    `select counts.* from domain cross join lateral ${newAddressCounts} as counts where domain.id = $1`,
    [domainId],
  );
  const perHour = Math.min(...addresses.map((address) => address.perHour));
  if (rows[0] && remainingNewAddresses(rows[0], perHour) < 0)
    throw new Refusal("RateLimited", { public: "This domain takes no more new addresses for now." });
}
