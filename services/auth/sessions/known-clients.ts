import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { Database, Transaction } from "../../platform/db/types.ts";

/** A browser or address that was not seen for so long counts as unknown again. */
const lifetimeDays = 180;

/** Of an account; a program that signs in from ever new addresses fills no table. */
const maxPerAccount = 200;

/** What a sign-in comes from: its address, and the browser by the cookie that it was given at its first sign-in. */
export interface Client {
  clientAddress: string;
  device?: string | undefined;
}

/** The digests that a client is known by; null for a device that said nothing. */
export function clientDigests({ clientAddress, device }: Client): { device: Buffer | null; address: Buffer } {
  return {
    device: device ? digestOf("device", device) : null,
    address: digestOf("address", digestedNetwork(clientAddress)),
  };
}

/** Clients that an account was signed in to from: guesses of unknown clients do not count against them. */
export class KnownClients {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Remembers a client that signed in, unless a second factor is still owed. */
  async remember(accountId: string, client: Client, isSecondFactorGranted: boolean, tx: Transaction): Promise<void> {
    const digests = Object.values(clientDigests(client)).filter((digest) => digest !== null);
    await tx.query(
      `insert into known_client (account_id, client_digest)
       select $1::uuid, digest from unnest($2::bytea[]) as digest
        where $3 or not exists (select from second_factor where account_id = $1 and confirmed_at is not null)
       on conflict (account_id, client_digest) do update set last_seen_at = now()
        where known_client.last_seen_at < now() - interval '1 day'`,
      [accountId, digests, isSecondFactorGranted],
      { name: "auth.remember_client" },
    );
  }

  /** Deletes those that were not seen for long, and the oldest of an account that has too many. */
  async sweep(): Promise<void> {
    await this.#db.query(`delete from known_client where last_seen_at < now() - make_interval(days => $1)`, [
      lifetimeDays,
    ]);
    await this.#db.query(
      `delete from known_client using (
         select account_id, client_digest, row_number() over (partition by account_id order by last_seen_at desc) as place
           from known_client
       ) as ranked
       where ranked.place > $1 and known_client.account_id = ranked.account_id and known_client.client_digest = ranked.client_digest`,
      [maxPerAccount],
    );
  }
}

function digestOf(kind: "device" | "address", value: string): Buffer {
  return createHash("sha256").update(`${kind}/${value}`).digest();
}

/** As `networkOf` (platform/net), in the form that stored digests are made of: in another one nobody's address would be known any more. */
function digestedNetwork(clientAddress: string): string {
  if (!ipaddr.isValid(clientAddress)) return clientAddress;
  const address = ipaddr.parse(clientAddress);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return address.isIPv4MappedAddress()
    ? address.toIPv4Address().toString()
    : address.toByteArray().slice(0, 8).join(".");
}
