import type { DomainChanged } from "../../../proto/gen/postern/bindings/v1/domain_changed_pb.js";
import type { Transaction } from "../../platform/db/types.ts";

/** Keeps what bindings says of accounts' own domains. The events of one name come in order; the keys of a removed domain go. */
export async function recordDomains(tx: Transaction, messages: readonly DomainChanged[]): Promise<void> {
  for (const { domainId, ownerId, name, state, publishedSelectors } of messages) {
    if (state === "removed") await forgetDomains(tx, [domainId]);
    else
      await tx.query(
        `insert into own_domain (id, owner_id, name, state, published_selectors) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set state = excluded.state, published_selectors = excluded.published_selectors`,
        [domainId, ownerId, name, state, publishedSelectors],
      );
  }
}

/** Removes the domains of accounts that were closed. */
export async function forgetDomainsOf(tx: Transaction, ownerIds: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ id: string }>("select id from own_domain where owner_id = any ($1::uuid[])", [
    ownerIds,
  ]);
  await forgetDomains(
    tx,
    rows.map(({ id }) => id),
  );
}

async function forgetDomains(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query("delete from own_domain where id = any ($1::uuid[])", [ids]);
  await tx.query("delete from domain_key where domain_id = any ($1::uuid[])", [ids]);
}
