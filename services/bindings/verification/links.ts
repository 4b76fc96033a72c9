import type { Counter } from "prom-client";
import { recordSet } from "../../platform/db/record-set.ts";
import type { Transaction } from "../../platform/db/types.ts";
import { publish } from "../../platform/events/outbox/outbox.ts";
import type { Language } from "../../platform/rpc/language.ts";
import type { Settings } from "../../platform/runtime/settings.ts";
import type { Limit, Limits } from "../../platform/security/rate-limits.ts";
import type { Secrets } from "../../platform/security/secrets.ts";
import { randomToken, tokenDigest } from "../../platform/security/tokens.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { BindingsConfig } from "../config.ts";
import type { UnverifiedAddress } from "../real-addresses/real-addresses.ts";
import { verificationNotice } from "./notice.ts";

const lifetimeHours = 24;
const windowS = 3_600;
/** It may take the owner a while to repair a mailbox that refuses mail. */
const enablingLifetimeDays = 30;

const newLinks = recordSet({ digest: "bytea", id: "uuid" });

interface Asked {
  ownerId: string;
  proxyAddress: string;
  /** Of the request; English where it has none. */
  language?: Language | undefined;
}

interface SentLinks {
  /** How many were sent. */
  count: number;
  /** Seconds until one that was rate limited may be asked for again; 0 when none was. */
  retryAfterS: number;
}

/** Sends verification links, at a limited rate for each real address and each account. */
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
      "Verification links asked for, by outcome: sent or held back by a rate limit",
      ["outcome"],
    );
  }

  /** Makes a link for each address and requests the mails, in the transaction that inserts the addresses. */
  async send(tx: Transaction, asked: Asked, addresses: readonly UnverifiedAddress[]): Promise<SentLinks> {
    const waits = await Promise.all(addresses.map((address) => this.#waitS(asked.ownerId, address)));
    const links = addresses.filter((_, at) => waits[at] === 0).map((address) => ({ ...address, token: randomToken() }));
    this.#links.inc({ outcome: "sent" }, links.length);
    this.#links.inc({ outcome: "held_back" }, addresses.length - links.length);
    if (links.length > 0) await this.#issue(tx, asked, links);
    return { count: links.length, retryAfterS: Math.max(0, ...waits) };
  }

  /**
   * A link that enables a suspended address again, mailed to the account's own mailbox: the verification of the real address
   * stays as it is.
   */
  async makeEnabling(tx: Transaction, realAddressId: string): Promise<string> {
    const token = randomToken();
    await tx.query(
      `insert into verification_link (token_digest, real_address_id, expires_at, is_enabling)
       values ($1, $2, now() + make_interval(days => $3), true)`,
      [tokenDigest(token), realAddressId, enablingLifetimeDays],
    );
    return `${this.#settings.PUBLIC_URL}/verify/${token}`;
  }

  async #issue(
    tx: Transaction,
    { ownerId, proxyAddress, language = "en" }: Asked,
    links: readonly (UnverifiedAddress & { token: string })[],
  ): Promise<void> {
    await tx.query(
      `insert into verification_link (token_digest, real_address_id, expires_at)
       select digest, id, now() + make_interval(hours => $1) from ${newLinks.from("link", 2)}`,
      [lifetimeHours, ...newLinks.params(links.map(({ id, token }) => ({ digest: tokenDigest(token), id })))],
    );
    const { PUBLIC_URL, SERVICE_NAME } = this.#settings;
    const notices = links.map(({ emailAddress, token }) =>
      verificationNotice({
        ownerId,
        recipient: emailAddress,
        proxyAddress,
        link: `${PUBLIC_URL}/verify/${token}`,
        lifetimeHours,
        serviceName: SERVICE_NAME,
        language,
      }),
    );
    await publish(tx, notices);
  }

  /** Seconds until the address may be sent a link; 0 for now. The limits are counted under a digest of the address. */
  async #waitS(ownerId: string, { emailAddress }: UnverifiedAddress): Promise<number> {
    const account = await this.#perAccount.consume(ownerId);
    if (!account.isAllowed) return account.retryAfterS;
    return (await this.#perAddress.consume(this.#secrets.sign("verification:address", emailAddress.key))).retryAfterS;
  }
}

interface VerificationContext {
  settings: Settings;
  config: Pick<BindingsConfig, "LIMIT_VERIFICATION_PER_ADDRESS" | "LIMIT_VERIFICATION_PER_ACCOUNT">;
  secrets: Secrets;
  limits: Limits;
  metrics: Metrics;
}
