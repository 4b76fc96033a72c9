import type { X509Certificate } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { LRUCache } from "lru-cache";
import type { MTASTSPolicy } from "mailauth";
import mxConnect, { type MxConnection, type TlsaRecord } from "mx-connect";
import type { AddressRanges } from "../../platform/net/special-ranges.ts";
import { certificateError } from "../smtp/certificate-error.ts";
import { type SessionOptions, SmtpClientSession, type SmtpTimeouts } from "../smtp/session.ts";
import { SmtpFailure } from "../smtp/smtp-failure.ts";
import { isReachable, literalAddress, reachableRecords } from "./address-policy.ts";
import { ExchangerLimits, ExchangerSlot } from "./exchanger-limits.ts";
import { exchangerRecords } from "./exchanger-records.ts";

export interface MxConnectorOptions {
  port: number;
  clientName: string;
  /** Names of the exchangers that are ourselves, in lower case. */
  ownHosts: readonly string[];
  /** Name servers as host or host:port; empty: the system's. */
  dnsServers: readonly string[];
  isDaneOn: boolean;
  /** Sessions at once with one IP address. */
  maxPerAddress: number;
  /** Special address ranges that may be reached all the same. */
  allowed: AddressRanges;
  timeouts: SmtpTimeouts;
}

/** RFC 5321 section 5.1 wants at least two addresses tried; more than this only makes the message wait. */
const maxHosts = 4;
const maxPolicies = 1_000;

/** Opens sessions with a domain's mail exchangers, in their order of preference. */
export class MxConnector {
  readonly #options: MxConnectorOptions;
  readonly exchangers: ExchangerLimits;
  readonly #resolver = new Resolver({ timeout: 5_000, tries: 2 });
  /** MTA-STS policies by domain (RFC 8461 section 3.3); a policy outlives a fetch that fails. */
  readonly #policies = new LRUCache<string, MTASTSPolicy>({ max: maxPolicies });

  constructor(options: MxConnectorOptions) {
    this.#options = options;
    this.exchangers = new ExchangerLimits(options.maxPerAddress);
    if (options.dnsServers.length > 0) this.#resolver.setServers([...options.dnsServers]);
  }

  /**
   * @param tried addresses that are passed over
   * @throws SmtpFailure of the last host tried, MxError when none could be reached, ExchangerBusy
   */
  async openSession(domain: string, tried: readonly string[] = []): Promise<SmtpClientSession> {
    const slot = new ExchangerSlot(this.exchangers);
    try {
      return await this.#openSession(domain, tried, slot);
    } finally {
      slot.leave();
    }
  }

  async #openSession(domain: string, tried: readonly string[], slot: ExchangerSlot): Promise<SmtpClientSession> {
    const ignored = [...tried];
    const tlsFailures = new Map<string, SmtpFailure>();
    let lastFailure: SmtpFailure | undefined;
    while (ignored.length < maxHosts) {
      const connection = await this.#connect(domain, ignored, slot).catch((error) => {
        // What a server replied tells more than that the next one cannot be reached.
        throw lastFailure ?? error;
      });
      const { host, socket } = connection;
      const options = this.#sessionOptions(connection);
      const tlsFailure = tlsFailures.get(host);
      try {
        return await SmtpClientSession.open(socket, tlsFailure ? { ...options, tls: "off", tlsFailure } : options);
      } catch (error) {
        if (!(error instanceof SmtpFailure)) throw error;
        lastFailure = error;
        // Opportunistic TLS that does not work falls back to none (RFC 7435 section 3).
        if (error.stage === "tls" && options.tls === "opportunistic" && !tlsFailure) tlsFailures.set(host, error);
        else ignored.push(host);
      }
    }
    throw lastFailure ?? new Error(`no exchanger of ${domain} was tried`);
  }

  async #connect(target: string, ignoreMXHosts: string[], slot: ExchangerSlot): Promise<MxConnection> {
    const { port, clientName, timeouts, isDaneOn, allowed } = this.#options;
    const policies = this.#policies;
    const literal = literalAddress(target);
    if (literal !== undefined && !isReachable(literal, allowed))
      throw new SmtpFailure("connect", {
        cause: new Error(`${target} is a special address, which mail is not sent to`),
      });
    return mxConnect({
      target,
      port,
      maxConnectTime: timeouts.connectMs,
      localHostname: clientName,
      ignoreMXHosts,
      // The addresses of the policy host (MTA-STS) come by this as well.
      dnsOptions: { resolveRecords: (name, type) => this.#reachableRecords(name, type) },
      connectHook: (_delivery, { host }, done) => done(slot.moveTo(host)),
      mtaSts: {
        enabled: true,
        cache: {
          get: async (domain) => policies.get(domain),
          set: async (domain, policy) => void policies.set(domain, policy),
        },
      },
      dane: { enabled: isDaneOn, resolveTlsa: (name) => this.#tlsaRecords(name) },
    });
  }

  /** mailauth asks for the IPv6 addresses of a policy host only where it has no IPv4 address: where all of those are special, it counts as having none. */
  async #reachableRecords(name: string, type: string): Promise<unknown[]> {
    const records = await this.#records(name, type);
    try {
      return reachableRecords(records, type, this.#options.allowed);
    } catch (error) {
      const others = type === "A" ? await this.#reachableRecords(name, "AAAA").catch(() => []) : [];
      if (others.length > 0) return [];
      throw error;
    }
  }

  async #records(name: string, type: string): Promise<unknown[]> {
    const { ownHosts } = this.#options;
    if (type === "MX") return exchangerRecords(name, () => this.#resolver.resolveMx(name), ownHosts);
    return (await this.#resolver.resolve(name, type)) as unknown[];
  }

  /** mx-connect names the members of a record (RFC 6698 section 2.1) otherwise than Node: with Node's names no certificate would match. */
  async #tlsaRecords(name: string): Promise<TlsaRecord[]> {
    const records = await this.#resolver.resolveTlsa(name);
    return records.map(({ certUsage: usage, selector, match: mtype, data }) => {
      return { usage, selector, mtype, cert: Buffer.from(data) };
    });
  }

  /** TLS as DANE (RFC 7672) or an enforced MTA-STS policy (RFC 8461) demands it; without either, if it is offered. */
  #sessionOptions({ hostname, requireTls, daneVerifier, policyMatch }: MxConnection): SessionOptions {
    const { clientName, timeouts } = this.#options;
    const base = { clientName, serverName: hostname, timeouts };
    if (requireTls && daneVerifier) {
      return {
        ...base,
        tls: "required",
        checkCertificate: (socket) => {
          const leaf = socket.getPeerX509Certificate();
          const chain: X509Certificate[] = [];
          for (
            let issuer = leaf?.issuerCertificate;
            issuer && issuer !== chain.at(-1);
            issuer = issuer.issuerCertificate
          )
            chain.push(issuer);
          const cause = daneVerifier(hostname, leaf, chain);
          return cause && new Error(`no TLSA record of ${hostname} matches its certificate`, { cause });
        },
      };
    }
    if (policyMatch?.mode === "enforce") {
      return {
        ...base,
        tls: "required",
        checkCertificate: certificateError,
      };
    }
    return { ...base, tls: "opportunistic" };
  }
}
