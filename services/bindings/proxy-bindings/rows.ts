import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { z } from "zod";
import { BindingMadeSchema } from "../../../proto/gen/postern/bindings/v1/binding_made_pb.js";
import { topics } from "../../../proto/topics.ts";
import { recordSet } from "../../platform/db/record-set.ts";
import { columnName } from "../../platform/db/row-query.ts";
import type { Queryable, Transaction } from "../../platform/db/types.ts";
import { isoTimestamp } from "../../platform/db/value-types.ts";
import { Refusal } from "../../platform/errors.ts";
import { event, publish } from "../../platform/events/outbox/outbox.ts";
import type { EmailAddress } from "../addresses/email-address.ts";
import type { BindingSettings, ProxyBinding as ProxyBindingSchema, RefusalReason } from "../contract.ts";
import { settingColumns } from "./settings.ts";

export type ProxyBinding = z.output<typeof ProxyBindingSchema>;
type Settings = z.output<typeof BindingSettings>;

/** A row of `bindingColumns`, its timestamps as PostgreSQL writes them. */
export type BindingRow = Omit<ProxyBinding, "lastRefusal"> & {
  lastRefusedAt: string | null;
  lastRefusal: z.output<typeof RefusalReason> | null;
};

/** A binding to be inserted; what its settings leave out has its first value. */
interface NewBinding {
  readonly id: string;
  readonly ownerId: string;
  readonly proxyAddress: EmailAddress;
  /** Made by the service. */
  readonly isAutomatic: boolean;
  /** Made for mail that a pattern of its domain took. */
  readonly isFromPattern?: boolean;
  readonly settings: Settings;
}

const settings = Object.entries(settingColumns).map(([name, { initial }]) => {
  return { name, column: columnName(name), initial };
});

export const bindingColumns = `id, owner_id, proxy_address, is_automatic,
  received_emails, last_received_at::text, refused_emails, last_refused_at::text, last_refusal, created_at::text, updated_at::text, ${settings.map(({ column }) => column).join(", ")},
  (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'address', address, 'isEnabled', is_enabled, 'isVerified', verified_at is not null,
                             'suspendedAt', to_char(suspended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                             'isVerificationNeeded', verified_at is null and not is_internal, 'spfSuffices', spf_suffices) order by id), '[]')
     from real_address where binding_id = binding.id) as real_addresses`;

const settingTypes = Object.fromEntries(Object.entries(settingColumns).map(([name, { type }]) => [name, type])) as {
  readonly [Name in keyof typeof settingColumns]: (typeof settingColumns)[Name]["type"];
};
/** What a request leaves out. */
const noSettings = Object.fromEntries(settings.map(({ name }) => [name, undefined])) as Record<
  keyof Settings,
  undefined
>;
const newBindings = recordSet({
  id: "uuid",
  ownerId: "uuid",
  proxyAddress: "text",
  proxyAddressKey: "text",
  mailDomain: "text",
  isAutomatic: "boolean",
  isFromPattern: "boolean",
  ...settingTypes,
});
const changedSettings = recordSet(settingTypes);

const insertion = `
  insert into binding (id, owner_id, proxy_address, proxy_address_key, own_domain, is_automatic, is_from_pattern, created_at, updated_at, ${settings.map(({ column }) => column).join(", ")})
  select id, owner_id, proxy_address, proxy_address_key, (select name from domain where name = mail_domain limit 1), is_automatic, is_from_pattern, now, now, ${settings.map(({ column, initial }) => `coalesce(${column}, ${initial})`).join(", ")}
    from ${newBindings.from("created")}, clock_timestamp() as now`;

const change = `
  update binding set updated_at = clock_timestamp(), ${settings.map(({ column }) => `${column} = coalesce(given.${column}, binding.${column})`).join(", ")}
    from ${changedSettings.from("given", 3)}
   where binding.id = $1 and binding.owner_id = $2 returning binding.proxy_address, binding.proxy_address_key`;

/** Publishes binding.made. The addresses have been allocated. A domain that is no account's own has no row in `domain`. */
export async function insertBindings(tx: Transaction, bindings: readonly NewBinding[]): Promise<void> {
  const rows = bindings.map(({ proxyAddress, isFromPattern = false, settings: given, ...binding }) => ({
    ...binding,
    isFromPattern,
    proxyAddress: proxyAddress.spelling,
    proxyAddressKey: proxyAddress.key,
    mailDomain: proxyAddress.domain,
    ...noSettings,
    ...given,
  }));
  await tx.query(insertion, newBindings.params(rows));
  const madeAt = timestampFromDate(new Date());
  const events = rows.map(({ id: bindingId, ownerId, proxyAddress }) =>
    event(topics.bindingMade, create(BindingMadeSchema, { bindingId, ownerId, proxyAddress, madeAt })),
  );
  await publish(tx, events);
}

/** Changes the settings given. @throws Refusal NotFound */
export async function updateSettings(
  tx: Transaction,
  { id, ownerId }: Pick<ProxyBinding, "id" | "ownerId">,
  given: Settings,
): Promise<{ proxyAddress: string; key: string }> {
  const { rows } = await tx.query<{ proxyAddress: string; proxyAddressKey: string }>(change, [
    id,
    ownerId,
    ...changedSettings.params([{ ...noSettings, ...given }]),
  ]);
  if (!rows[0]) throw noSuchBinding();
  return { proxyAddress: rows[0].proxyAddress, key: rows[0].proxyAddressKey };
}

/** Bindings as they are shown. `rest` is the statement from its `where` on; ids rise with time, so they order by age. */
export async function selectBindings(
  queryable: Queryable,
  rest: string,
  params: readonly unknown[],
): Promise<ProxyBinding[]> {
  const { rows } = await queryable.query<BindingRow>(`select ${bindingColumns} from binding ${rest}`, params);
  return rows.map(toProxyBinding);
}

/** The same for one that the transaction has just written. */
export async function selectBinding(queryable: Queryable, id: string): Promise<ProxyBinding> {
  const [binding] = await selectBindings(queryable, "where id = $1", [id]);
  if (!binding) throw new Error(`binding ${id} was written and is not there`);
  return binding;
}

/** Made of the row itself, which nobody else has: copying twenty of them was a tenth of what a list left to be collected. */
export function toProxyBinding(row: BindingRow): ProxyBinding {
  const { createdAt, updatedAt, lastReceivedAt, lastRefusedAt, lastRefusal: reason } = row;
  return Object.assign(row, {
    createdAt: isoTimestamp(createdAt),
    updatedAt: isoTimestamp(updatedAt),
    lastReceivedAt: lastReceivedAt && isoTimestamp(lastReceivedAt),
    lastRefusal: reason && lastRefusedAt ? { at: isoTimestamp(lastRefusedAt), reason } : null,
  });
}

/** The same for somebody else's and for one that does not exist: attackers learn nothing. */
export function noSuchBinding(): Refusal {
  return new Refusal("NotFound", { public: "There is no such proxy binding." });
}
