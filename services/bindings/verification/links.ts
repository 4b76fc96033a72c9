import { createHash, randomBytes } from "node:crypto";
import type { Counter } from "prom-client";
import type { Transaction } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox.ts";
import type { Settings } from "../../platform/runtime/settings.ts";
import type { Limit, Limits } from "../../platform/security/rate-limits.ts";
import type { Secrets } from "../../platform/security/secrets.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { BindingsConfig } from "../config.ts";
import type { UnprovedAddress } from "../real-addresses/real-addresses.ts";
import { verificationNotice } from "./notice.ts";

const lifetimeH = 24;
const windowS = 3_600;
/** A mailbox that refuses mail may take its time to be mended. */
const enablingLifetimeDays = 30;

export interface SentLinks {
  /** How many of the addresses were sent one. */
  count: number;
  /** Seconds until one that was held back may be asked for again; 0 when none was. */
  retryAfterS: number;
}

/** What a token is kept as: it is 256 random bits, so that a plain digest tells nothing of it. */
export function tokenDigest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Sends the links that prove a real address, as often as its holder can bear. */
export class VerificationLinks {
  readonly #settings: Settings;
  readonly #secrets: Secrets;
  readonly #perAddress: Limit;
  readonly #perAccount: Limit;
  readonly #links: Counter;

  constructor({ settings, config, secrets, limits, metrics }: VerificationContext) {
    this.#settings = settings;
    this.#secrets = secrets;
    this.#perAddress = limits.limit({
      name: "verification:address",
      points: config.LIMIT_VERIFICATION_PER_ADDRESS,
      windowS,
    });
    this.#perAccount = limits.limit({
      name: "verification:account",
      points: config.LIMIT_VERIFICATION_PER_ACCOUNT,
      windowS,
    });
    this.#links = metrics.counter(
      "postern_verification_links_total",
      "Verification links by what became of the wish for one",
      ["outcome"],
    );
  }

  /** Makes a link for each address, and asks for the mails, in the transaction that makes the addresses. */
  async send(
    tx: Transaction,
    { ownerId, proxyAddress }: { ownerId: string; proxyAddress: string },
    addresses: readonly UnprovedAddress[],
  ): Promise<SentLinks> {
    const waits = await Promise.all(addresses.map((address) => this.#waitS(ownerId, address)));
    const links = addresses
      .filter((_, at) => waits[at] === 0)
      .map((address) => ({ ...address, token: randomBytes(32).toString("base64url") }));
    this.#links.inc({ outcome: "sent" }, links.length);
    this.#links.inc({ outcome: "held_back" }, addresses.length - links.length);
    if (links.length > 0) await this.#issue(tx, { ownerId, proxyAddress }, links);
    return { count: links.length, retryAfterS: Math.max(0, ...waits) };
  }

  /**
   * A link that enables an address again, for the account's own mailbox: it proves nothing of the real address, whose own
   * proof stays as it is.
   */
  async makeEnabling(tx: Transaction, realAddressId: string): Promise<string> {
    const token = randomBytes(32).toString("base64url");
    await tx.query(
      `insert into verification_link (token_digest, real_address_id, expires_at, is_enabling)
       values ($1, $2, now() + make_interval(days => $3), true)`,
      [tokenDigest(token), realAddressId, enablingLifetimeDays],
    );
    return `${this.#settings.PUBLIC_URL}/verify/${token}`;
  }

  async #issue(
    tx: Transaction,
    { ownerId, proxyAddress }: { ownerId: string; proxyAddress: string },
    links: readonly (UnprovedAddress & { token: string })[],
  ): Promise<void> {
    await tx.query(
      `insert into verification_link (token_digest, real_address_id, expires_at)
       select digest, id, now() + make_interval(hours => $3) from unnest($1::bytea[], $2::uuid[]) as link (digest, id)`,
      [links.map(({ token }) => tokenDigest(token)), links.map(({ id }) => id), lifetimeH],
    );
    const { PUBLIC_URL, SERVICE_NAME } = this.#settings;
    const notices = links.map(({ mailbox, token }) =>
      verificationNotice({
        ownerId,
        recipient: mailbox,
        proxyAddress,
        link: `${PUBLIC_URL}/verify/${token}`,
        lifetimeH,
        serviceName: SERVICE_NAME,
      }),
    );
    await publish(tx, notices);
  }

  /** Seconds until the address may be sent a link; 0 is now. The counters hold no address in the clear. */
  async #waitS(ownerId: string, { mailbox }: UnprovedAddress): Promise<number> {
    const account = await this.#perAccount.take(ownerId);
    if (!account.isAllowed) return account.retryAfterS;
    return (await this.#perAddress.take(this.#secrets.sign("verification:address", mailbox.key))).retryAfterS;
  }
}

export interface VerificationContext {
  settings: Settings;
  config: Pick<BindingsConfig, "LIMIT_VERIFICATION_PER_ADDRESS" | "LIMIT_VERIFICATION_PER_ACCOUNT">;
  secrets: Secrets;
  limits: Limits;
  metrics: Metrics;
}
