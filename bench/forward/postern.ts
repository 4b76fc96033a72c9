import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AttachedProcess } from "../../scripts/peers/attached-process.ts";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { builtProgram } from "../../scripts/services/built.ts";
import { heapOptions, startEnvironment } from "../../services/platform/runtime/garbage-collection.ts";
import { restClient } from "../../test/support/http/rest-client.ts";
import { DnsServer, type Zone } from "../../test/support/peers/dns-server.ts";
import type { ComparedSystem, Signing } from "./compared-system.ts";

const startLimitMs = 180_000;
/** Whose mail is forwarded; its domain is the one that test/support/mail/owners-server signs for. */
export const account = { username: "owner@example.org", password: "a benchmark account's password" };

export interface RunningPostern extends ComparedSystem {
  readonly url: string;
}

interface PosternOptions {
  /** What is told to the process besides. */
  environment?: Readonly<Record<string, string>>;
  /** What its name server knows. */
  zone?: Zone;
  /** Options of its node, as `--cpu-prof`. */
  nodeOptions?: readonly string[];
}

/** One process on its embedded defaults, as `npm start` gives it, with one binding that leads to one real address. */
export async function startPostern(
  relayPort: number,
  signing: Signing,
  { environment = {}, zone = {}, nodeOptions = [] }: PosternOptions = {},
): Promise<RunningPostern> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-bench-"));
  const [httpPort = 0, smtpPort = 0] = await freePorts(2);
  // Senders are checked by SPF and DMARC: what is asked for is not there, and that is answered at once.
  const dns = await DnsServer.start({ ...zone });
  const command = [process.execPath, ...heapOptions, ...nodeOptions, builtProgram("main"), "--target=all"];
  const server = await AttachedProcess.start("Postern", join(dataDir, "log"), command, {
    ...startEnvironment,
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    HTTP_PORT: `${httpPort}`,
    SMTP_PORT: `${smtpPort}`,
    DATA_DIR: dataDir,
    DNS_SERVERS: dns.address,
    OUTBOUND: `smtp://127.0.0.1:${relayPort}`,
    FORWARD_SIGN: signing === "on" ? "dkim+arc" : "off",
    BOOTSTRAP_USER: account.username,
    BOOTSTRAP_PASSWORD: account.password,
    ...environment,
  });
  const stop = async () => {
    await server.stop();
    await dns.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const url = `http://127.0.0.1:${httpPort}`;
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await server.ready(isReady, startLimitMs);
    const recipient = await createBinding(url);
    return { name: "Postern", url, smtpPort, recipient, rootPids: [server.pid], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The account's own address is known to be its owner's, so mail goes there at once. */
export async function createBinding(url: string): Promise<string> {
  const rest = await restClient(url, account);
  const attributes = { real_addresses: [account.username], is_browsable: false };
  const { status, body, text } = await rest.send("POST", "/api/v1/proxy-bindings", {
    data: { type: "proxy_bindings", attributes },
  });
  if (status !== 201) throw new Error(`no binding was made: ${status} ${text}`);
  return String(body?.["data"]?.["attributes"]?.["proxy_address"]);
}
