import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { CallbackAddresses } from "./addresses.ts";
import { AttemptFailure, failureOf } from "./failure.ts";

export interface RequestOptions {
  addresses: CallbackAddresses;
  /** From the first DNS question to the last header of the response; reading its body may take a second more. */
  timeoutMs: number;
}

/** Time for each of several addresses before the next is tried beside it (RFC 8305 wants 0.1 to 2 s). */
const nextAddressMs = 1_000;
const headerLimitBytes = 16 * 1024;

/**
 * Ports of protocols that can be made to take an HTTP request for their own, mail servers first of all: what browsers
 * refuse to fetch from (WHATWG Fetch, section 2.9 "Port blocking"). Any other port may be called.
 */
const blockedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

// A new connection for each attempt, so that the address is checked each time; no global agent, which may use a proxy.
const connecting = { keepAlive: false, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: nextAddressMs };
const agents = { "http:": new HttpAgent(connecting), "https:": new HttpsAgent(connecting) };

interface GuardedRequest {
  method: "GET" | "POST";
  headers: OutgoingHttpHeaders;
  body: readonly Buffer[];
}

/**
 * Asks a URL that a user gave: only addresses that were checked, following no redirect, through no proxy.
 * @param take reads the response; what it throws after the time is over is that it took too long
 * @throws AttemptFailure when no response came
 */
export async function guardedRequest<Result>(
  url: string,
  asked: GuardedRequest,
  options: RequestOptions,
  take: (response: IncomingMessage, timedOut: Promise<never>) => Promise<Result>,
): Promise<Result> {
  const target = targetOf(url);
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const late = () => new AttemptFailure(`The target did not answer within ${options.timeoutMs / 1_000} seconds.`);
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  deadline.addEventListener("abort", () => reject(late()));
  try {
    const addresses = await Promise.race([options.addresses.of(target.hostname), timedOut]);
    const response = await Promise.race([send(target, addresses, asked, deadline), timedOut]);
    return await take(response, timedOut);
  } catch (error) {
    throw deadline.aborted ? late() : failureOf(error);
  }
}

function targetOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !Object.hasOwn(agents, url.protocol)) throw new AttemptFailure("The callback URL is no http(s) URL.");
  if (!isPortAllowed(Number(url.port || 80)))
    throw new AttemptFailure(`Callbacks may not go to port ${url.port}, which belongs to another protocol.`);
  return url;
}

/** Whether a callback may go to this TCP port. */
function isPortAllowed(port: number): boolean {
  return !blockedPorts.has(port);
}

function send(
  url: URL,
  addresses: readonly string[],
  { method, headers, body }: GuardedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[(.*)\]$|\.$/, "$1");
  const request = (isSecure ? httpsRequest : httpRequest)({
    agent: isSecure ? agents["https:"] : agents["http:"],
    method,
    host,
    port: url.port || (isSecure ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, ...(method === "GET" ? {} : { "content-length": sizeOf(body) }) },
    auth: credentialsOf(url),
    // An address is no server name (RFC 6066 section 3); the certificate is then held against the address itself.
    servername: isIP(host) ? "" : host,
    lookup: checkedOnly(addresses),
    maxHeaderSize: headerLimitBytes,
    signal,
  });
  request.on("response", resolve);
  request.on("error", reject);
  // An unsolicited 101 response causes neither event.
  request.on("close", () => reject(new AttemptFailure("The target closed the connection before it had answered.")));
  for (const piece of body) request.write(piece);
  request.end();
  return promise;
}

function sizeOf(body: readonly Buffer[]): number {
  return body.reduce((sum, { length }) => sum + length, 0);
}

/** Replaces name resolution: every lookup returns the addresses that were checked. */
function checkedOnly(addresses: readonly string[]): LookupFunction {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) => {
    const [first] = checked;
    if (all) callback(null, checked);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/** A user and password in the URL go as Basic credentials (RFC 7617), as every client would send them. */
function credentialsOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  return `${percentDecoded(username)}:${percentDecoded(password)}`;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
