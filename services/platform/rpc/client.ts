import { Outage, ServiceError } from "../errors.ts";
import { callPeer } from "./call-peer.ts";
import type { Client, Contract, Procedure } from "./contract.ts";
import { outputCopy } from "./output-copy.ts";
import { jsonOf, type Send } from "./send.ts";
import type { Serve } from "./serve-contract.ts";
import { decodeError, encodeError, isWireError, type WireAnswer } from "./wire-errors.ts";

/**
 * The client of a service in another process: with a deadline, the trace, and a signed service token. A refusal of it is thrown as itself;
 * anything else as an outage of it.
 */
export function httpClient<C extends Contract>(contract: C, options: HttpClientOptions): Client<C> {
  return clientOf(contract, async (name, procedure, input) =>
    outputCopy(procedure.output)(await asked(`${contract.service}.${name}`, procedure, input, options)),
  );
}

async function asked(
  call: string,
  { kind }: Procedure,
  input: unknown,
  { url, timeoutMs, token, formerToken, send }: HttpClientOptions,
): Promise<unknown> {
  const [service = "", name] = call.split(".");
  const body = input === undefined ? undefined : JSON.stringify(input);
  const ask = async (bearer: string) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${bearer}` };
    const request = { method: "POST", headers, body, timeoutMs } as const;
    const response = await callPeer(call, `${url}/rpc/${service}/${name}`, request, { isSafe: kind === "query", send });
    return { status: response.statusCode, answer: (await jsonOf(response)) as WireAnswer };
  };
  try {
    let { status, answer } = await ask(token());
    // In this form 0.1.0 refuses a token, and answers nothing else.
    const former = isWireError(answer) ? formerToken?.() : undefined;
    if (former !== undefined) ({ status, answer } = await ask(former));
    const { result, error } = answer;
    if (result) return result.data;
    const refusal = error?.data?.refusal;
    if (isWireError(refusal)) throw decodeError(refusal);
    throw new Outage(service, { operator: `it answered ${status}` });
  } catch (error) {
    throw error instanceof ServiceError ? error : new Outage(service, { cause: error });
  }
}

/**
 * The client of a service in this process. What goes in is encoded and decoded all the same, and what comes out is the copy that the
 * contract's schema made of it, so that both ways mean one thing.
 */
export function inProcessClient<C extends Contract>(contract: C, serve: () => Serve): Client<C> {
  return clientOf(contract, async (name, _procedure, input) => {
    try {
      return await serve()(name, encoded(input));
    } catch (error) {
      throw decodeError(encodeError(error, contract.service));
    }
  });
}

function clientOf<C extends Contract>(
  { procedures }: C,
  call: (name: string, procedure: Procedure, input: unknown) => Promise<unknown>,
): Client<C> {
  const calls = Object.entries(procedures).map(([name, procedure]) => [
    name,
    (input: unknown) => call(name, procedure, input),
  ]);
  return Object.fromEntries(calls) as Client<C>;
}

/** JSON there and back, as over the wire: undefined members go, dates become strings, nothing is shared. */
function encoded(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

interface HttpClientOptions {
  /** The peer's base URL; its RPC is under /rpc/<service>. */
  url: string;
  timeoutMs: number;
  /** A fresh signed statement of which installation is calling. */
  token(): string;
  /** The same for a peer of 0.1.0, if there may be any. */
  formerToken?(): string | undefined;
  send: Send;
}
