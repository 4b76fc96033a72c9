import { type CallbackTarget, callbackTarget } from "../support/http/callback-target.ts";
import { type MadeBinding, makeBinding } from "../support/http/rest-bindings.ts";
import type { RestClient } from "../support/http/rest-client.ts";
import {
  type Installation,
  type InstallationOptions,
  startInstallation,
} from "../support/installation/installation.ts";
import { MailLoad, type MailLoadOptions } from "../support/mail/mail-load.ts";
import { SmtpSink } from "../support/mail/smtp-sink.ts";

/** An installation whose mail goes to a next hop and a callback target that count what they get. */
export interface FaultFixture {
  readonly installation: Installation;
  readonly rest: RestClient;
  readonly sink: SmtpSink;
  readonly target: CallbackTarget;
  /** Both forward to the account's own address and call back; the one is browsable, of the other nothing is to stay. */
  readonly browsable: MadeBinding;
  readonly forwardOnly: MadeBinding;
  /** All that were started so far. */
  readonly loads: readonly MailLoad[];
  /** Mail to the one, to the other and to both in turn, until it is stopped. */
  sendUntilStopped(
    name: string,
    options?: Partial<Pick<MailLoadOptions, "compose" | "port" | "restMs" | "sessions">>,
  ): MailLoad;
  /** Stops what still sends, as it does after a test that failed. */
  stopLoads(): Promise<void>;
  /** The same installation with two more bindings, and nothing counted yet: once all that was sent before was accounted for. */
  renewed(): Promise<FaultFixture>;
  dispose(): Promise<void>;
}

/** Deliveries and callbacks at once in one process: as many may be repeated by a kill. */
export const inFlightLimit = 40;

/** Characters, where mail did not get on. */
const outputShown = 4_000;

/** Short, so that what a killed process had in flight is soon taken over. */
const shortLeases = { FORWARD_LEASE_S: "2", CALLBACK_LEASE_S: "2", MAILBOX_LEASE_S: "2" };

/** Where a service is several processes and none is killed: one that a busy machine keeps waiting has its rows all the same. */
export const longLeases = { FORWARD_LEASE_S: "60", CALLBACK_LEASE_S: "60", MAILBOX_LEASE_S: "60" };

type Environment = Readonly<Record<string, string>>;

/**
 * @param environment what differs from the fixture's own; may depend on where mail goes
 * @param fleet what of a fleet differs, where this run is for one
 */
export async function startFaultFixture(
  environment: Environment | ((sink: SmtpSink) => Environment) = {},
  fleet: Pick<InstallationOptions, "addressOf" | "group"> = {},
): Promise<FaultFixture> {
  const [sink, target] = await Promise.all([SmtpSink.start(), callbackTarget()]);
  const installation = await startInstallation({
    environment: {
      OUTBOUND: sink.url,
      CALLBACK_ALLOW_CIDRS: "127.0.0.0/8",
      FORWARD_CONCURRENCY: String(inFlightLimit),
      CALLBACK_CONCURRENCY: String(inFlightLimit),
      FORWARD_RETRY_S: "1,1,1,1,1,1,1,1",
      CALLBACK_RETRY_S: "1,1,1,1,1,1,1,1",
      LOG_LEVEL: "warn",
      ...shortLeases,
      ...(typeof environment === "function" ? environment(sink) : environment),
    },
    hasOwnPostgres: true,
    ...fleet,
  });
  const rest = await installation.rest();
  const dispose = async () => {
    await installation.dispose();
    await Promise.all([sink.stop(), target.close()]);
  };
  return withBindings({ installation, rest, sink, target, dispose });
}

type Started = Pick<FaultFixture, "installation" | "rest" | "sink" | "target" | "dispose">;

async function withBindings(started: Started): Promise<FaultFixture> {
  const { installation, rest, sink, target } = started;
  const route = { real_addresses: [installation.account.username], callback_url: target.url };
  const browsable = await makeBinding(rest, { ...route, is_browsable: true });
  const forwardOnly = await makeBinding(rest, { ...route, is_browsable: false });
  const one = browsable.proxyAddress;
  const other = forwardOnly.proxyAddress;
  const loads: MailLoad[] = [];
  return {
    ...started,
    loads,
    browsable,
    forwardOnly,
    sendUntilStopped: (name, options) => {
      const recipients = [[one], [other], [one, other]];
      const load = new MailLoad({
        port: installation.smtpPort,
        name: `${name}-${loads.length}`,
        recipients,
        explain: () => installation.output().slice(-outputShown),
        ...options,
      });
      loads.push(load);
      return load;
    },
    stopLoads: async () => {
      await Promise.all(loads.map((load) => load.stop()));
    },
    renewed: () => {
      sink.messages.length = 0;
      target.forget();
      return withBindings(started);
    },
  };
}
