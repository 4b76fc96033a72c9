import { z } from "zod";
import type { ProxyBinding } from "../../../bindings/contract.ts";
import type { Caller } from "../../http/endpoint.ts";
import { Count } from "../../http/schemas.ts";
import type { Services } from "../../services.ts";

type Binding = z.output<typeof ProxyBinding>;

/** SimpleLogin's ids are integers. */
export const IntegerId = z
  .int()
  .nonnegative()
  .max(2 ** 31 - 1);

const Mailbox = z.object({ id: IntegerId, email: z.string() });

export const Alias = z
  .object({
    id: IntegerId,
    email: z.string(),
    name: z.string().nullable(),
    enabled: z.boolean(),
    creation_date: z.string().meta({ example: "2024-01-20 02:00:46+00:00" }),
    creation_timestamp: z.int(),
    note: z.string().nullable(),
    nb_block: Count,
    nb_forward: Count,
    nb_reply: Count,
    mailbox: Mailbox.nullable().meta({ description: "Null where nothing is forwarded" }),
    mailboxes: z.array(Mailbox),
    support_pgp: z.boolean(),
    disable_pgp: z.boolean(),
    latest_activity: z.null(),
    pinned: z.boolean(),
  })
  .meta({ id: "SimpleLoginAlias" });

export const NewAlias = Alias.extend({ alias: z.string() }).meta({ id: "NewSimpleLoginAlias" });

/** Whether mail to it leads anywhere. */
export function isAnyTargetEnabled({ realAddresses }: Binding): boolean {
  return realAddresses.some(({ isEnabled }) => isEnabled);
}

/** Bindings as SimpleLogin shows aliases. */
export async function aliasesOf(
  { bindings: service }: Services,
  { accountId: ownerId }: Caller,
  bindings: readonly Binding[],
): Promise<z.output<typeof Alias>[]> {
  if (bindings.length === 0) return [];
  const [numbers, targets] = await Promise.all([service.bindingIntegerIds({ ownerId }), service.targets({ ownerId })]);
  const numberOf = new Map(numbers.map(({ id, number }) => [id, number]));
  const mailboxOf = new Map(
    targets.map(({ number, address }) => [address.toLowerCase(), { id: number, email: address }]),
  );
  return bindings.flatMap((binding) => {
    const id = numberOf.get(binding.id);
    // Removed since it was listed.
    if (id === undefined) return [];
    const mailboxes = binding.realAddresses.flatMap(({ address }) => mailboxOf.get(address.toLowerCase()) ?? []);
    return [{ id, ...shown(binding), mailbox: mailboxes[0] ?? null, mailboxes }];
  });
}

function shown(binding: Binding) {
  const { proxyAddress, description, receivedEmails, refusedEmails, createdAt } = binding;
  return {
    email: proxyAddress,
    name: binding.displayName || null,
    enabled: isAnyTargetEnabled(binding),
    creation_date: `${createdAt.slice(0, 10)} ${createdAt.slice(11, 19)}+00:00`,
    creation_timestamp: Math.floor(Date.parse(createdAt) / 1000),
    note: description === "" ? null : description,
    nb_block: refusedEmails,
    nb_forward: receivedEmails,
    nb_reply: 0,
    support_pgp: false,
    disable_pgp: false,
    latest_activity: null,
    pinned: false,
  };
}

/** @throws Refusal NotFound */
export async function bindingOf({ bindings }: Services, { accountId: ownerId }: Caller, id: string): Promise<Binding> {
  const number = /^\d{1,9}$/.test(id) ? Number(id) : 0;
  return bindings.get({ ownerId, ...(await bindings.bindingOfIntegerId({ ownerId, number })) });
}
