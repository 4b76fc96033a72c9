import type { CallOptions, Transport } from "./transport.ts";

/** What happened to an address or an email of the account. */
export interface AccountEvent {
  /** Where to go on after it. */
  cursor: string;
  id: string;
  kind: "email.arrived" | "delivery.settled" | "delivery.bounced" | "address.made" | "address.removed";
  /** ISO 8601, UTC. */
  at: string;
  bindingId: string | null;
  emailId: string | null;
  /** Of address.made and address.removed. */
  address: string | null;
  /** Of delivery.settled, such as forwarded or given_up. */
  outcome: string | null;
}

const pageSize = 1_000;

/** See `Postern.events`. */
export async function* events(
  transport: Transport,
  after?: string,
  { signal }: CallOptions = {},
): AsyncIterableIterator<AccountEvent> {
  for (let cursor = after; ; ) {
    const query = { limit: pageSize, after: cursor };
    const page = (await transport.rest("readEvents", { query }, { signal })) as AccountEvent[];
    yield* page;
    cursor = page.at(-1)?.cursor;
    if (page.length < pageSize) return;
  }
}
