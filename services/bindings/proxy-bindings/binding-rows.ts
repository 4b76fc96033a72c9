import type { z } from "zod";
import type { Queryable } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import type { ProxyBinding as ProxyBindingSchema, RealAddress } from "../contract.ts";

export type ProxyBinding = z.output<typeof ProxyBindingSchema>;

/** A row of `bindingColumns`. */
export interface BindingRow {
  id: string;
  owner_id: string;
  proxy_address: string;
  description: string;
  callback_url: string;
  is_browsable: boolean;
  is_automatic: boolean;
  received_emails: number;
  created_at: Date;
  updated_at: Date;
  real_addresses: z.output<typeof RealAddress>[];
}

export const bindingColumns = `id, owner_id, proxy_address, description, callback_url, is_browsable, is_automatic, received_emails, created_at, updated_at,
  (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'address', address, 'isEnabled', is_enabled, 'isVerified', verified_at is not null,
                             'isVerificationNeeded', verified_at is null and not is_internal) order by id), '[]')
     from real_address where binding_id = binding.id) as real_addresses`;

/** Bindings as they are shown. `rest` is the statement from its `where` on; ids rise with time, so they order by age. */
export async function selectBindings(
  queryable: Queryable,
  rest: string,
  params: readonly unknown[],
): Promise<ProxyBinding[]> {
  const { rows } = await queryable.query<BindingRow>(`select ${bindingColumns} from binding ${rest}`, params);
  return rows.map(shownBinding);
}

/** The same for one that the transaction has just written. */
export async function selectBinding(queryable: Queryable, id: string): Promise<ProxyBinding> {
  const [binding] = await selectBindings(queryable, "where id = $1", [id]);
  if (!binding) throw new Error(`binding ${id} was written and is not there`);
  return binding;
}

export function shownBinding(row: BindingRow): ProxyBinding {
  return {
    id: row.id,
    ownerId: row.owner_id,
    proxyAddress: row.proxy_address,
    description: row.description,
    callbackUrl: row.callback_url,
    isBrowsable: row.is_browsable,
    isAutomatic: row.is_automatic,
    receivedEmails: row.received_emails,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    realAddresses: row.real_addresses,
  };
}

/** Somebody else's and a missing one look alike. */
export function noSuchBinding(): Refusal {
  return new Refusal("NotFound", { public: "There is no such proxy binding." });
}
