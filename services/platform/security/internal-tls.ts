import { Agent, type AgentOptions } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { type ConfigOf, defineConfig, optionalText } from "../config.ts";
import { ConfigurationError, messageOf } from "../errors.ts";
import type { Module } from "../runtime/lifecycle.ts";
import type { PollingTask } from "../runtime/polling-task.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type KeyFiles, readKeyFiles, watchKeyFiles } from "./key-files.ts";

export const internalTlsConfig = defineConfig({
  INTERNAL_TLS_CERT: optionalText("the path of a PEM file")
    .meta({ unset: "services call each other over plain HTTP" })
    .describe(
      "This process's certificate, with its chain: for its internal listener, and to show when it calls others; read again when it is renewed, as its key and the authority are",
    ),
  INTERNAL_TLS_KEY: optionalText("the path of a PEM file").describe("The private key of INTERNAL_TLS_CERT"),
  INTERNAL_TLS_CA: optionalText("the path of a PEM file").describe(
    "The authority of the certificates of all services; with these three every call between services is by mutual TLS",
  ),
});

/** What a process shows its peers, and trusts of theirs; taken up anew when the files are renewed. */
export class InternalTls {
  readonly #paths: KeyFiles;
  readonly #appliers: ((files: KeyFiles) => void)[] = [];
  #files: KeyFiles;

  constructor(paths: KeyFiles, files: KeyFiles) {
    this.#paths = paths;
    this.#files = files;
  }

  /** Calls `apply` with what the files hold, now and each time that they were renewed. */
  follow(apply: (files: KeyFiles) => void): void {
    this.#appliers.push(apply);
    apply(this.#files);
  }

  /** Looks for renewed files. */
  watch(logger: Logger): PollingTask {
    const onChange = (files: KeyFiles) => {
      this.#files = files;
      for (const apply of this.#appliers) apply(files);
    };
    const of = { name: "internal-tls", variable: "INTERNAL_TLS_CERT" };
    return watchKeyFiles({ ...of, paths: this.#paths, first: this.#files, onChange, logger });
  }

  module(logger: Logger): Module {
    const task = this.watch(logger);
    return { name: "internal TLS", needs: [], start: async () => task.start(), stop: () => task.stop() };
  }
}

/** The agent of calls to peers as it is to be at the moment: by TLS unless `tls` is absent. */
export function peerAgent(tls: Pick<InternalTls, "follow"> | undefined, options: AgentOptions): () => Agent {
  let agent: Agent;
  if (tls) tls.follow((files) => (agent = new TlsAgent({ ...files, ...options })));
  else agent = new Agent(options);
  return () => agent;
}

type InternalTlsConfig = ConfigOf<typeof internalTlsConfig>;

/** @throws ConfigurationError where one of the three is without the others, or they cannot be used. */
export async function loadInternalTls(config: InternalTlsConfig): Promise<InternalTls | undefined> {
  const paths = pathsOf(config);
  return paths && new InternalTls(paths, await readFiles(paths));
}

/** What the files hold. @throws as loadInternalTls does */
export async function readInternalTls(config: InternalTlsConfig): Promise<Required<KeyFiles> | undefined> {
  const paths = pathsOf(config);
  return paths && readFiles(paths);
}

const variables = "INTERNAL_TLS_CERT, INTERNAL_TLS_KEY, INTERNAL_TLS_CA";

function pathsOf(config: InternalTlsConfig): Required<KeyFiles> | undefined {
  const { INTERNAL_TLS_CERT: cert, INTERNAL_TLS_KEY: key, INTERNAL_TLS_CA: ca } = config;
  if (!cert && !key && !ca) return undefined;
  if (!cert || !key || !ca) throw new ConfigurationError([`${variables}: expected all three or none`]);
  return { cert, key, ca };
}

function readFiles(paths: Required<KeyFiles>): Promise<Required<KeyFiles>> {
  return readKeyFiles(paths).catch((error: unknown) => {
    throw new ConfigurationError([
      `${variables}: expected a certificate, its key and an authority, PEM: ${messageOf(error)}`,
    ]);
  });
}
