import type { RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { asServiceError, Outage, Refusal, ServiceError } from "../errors.ts";
import type { Secrets } from "../security/secrets.ts";
import { answeringKind, traceHeaders, withExtractedContext, withSpan } from "../telemetry/spans.ts";
import { callPeer } from "./call-peer.ts";
import type { AnyStreamImplementation, Contract, StreamClient } from "./contract.ts";
import { jsonOf, type Send } from "./send.ts";
import {
  type AskedStream,
  batchStreamRequests,
  encodeSmallStreams,
  readSmallStream,
  smallBytes,
} from "./small-streams.ts";
import { decodeError, encodeError, isWireError } from "./wire-errors.ts";

const purpose = "internal-stream";
const lifetimeMs = 60_000;

/** What a service's streams are to others in the same process: the functions themselves, with their input checked. */
export function inProcessStreams<C extends Contract>(
  contract: C,
  implementation: () => AnyStreamImplementation,
): StreamClient<C> {
  const calls = Object.entries(contract.streams ?? {}).map(([name, input]) => [
    name,
    async (given: unknown) => {
      const open = implementation()[name];
      if (!open) throw new Error(`stream ${name} is in the contract and has no implementation`);
      try {
        return await withSpan(`${contract.service}.${name}`, {}, () => open(input.parse(given) as never));
      } catch (error) {
        throw decodeError(encodeError(error, contract.service));
      }
    },
  ]);
  return Object.fromEntries(calls);
}

interface HttpStreamsOptions {
  /** The peer's base URL. */
  url: string;
  /** The service that calls. */
  caller: string;
  secrets: Secrets;
  timeoutMs: number;
  send: Send;
}

/**
 * The same over HTTP: GET on a signed internal URL that is good for a minute. Small ones that are asked for at the same moment come in one
 * answer.
 */
export function httpStreams<C extends Contract>(
  contract: C,
  { url, caller, secrets, timeoutMs, send }: HttpStreamsOptions,
): StreamClient<C> {
  const { service } = contract;
  const calls = Object.keys(contract.streams ?? {}).map((name) => {
    const ask = (given: unknown) =>
      openStream(service, name, `${url}${signedPath(service, name, given, { caller, secrets })}`, { timeoutMs, send });
    const together = batchStreamRequests(`${service}.${name}`, async (streams) => buffer(await ask(streams)));
    const open = async (given: unknown, sizeBytes = Number.POSITIVE_INFINITY) => {
      const bytes = sizeBytes <= smallBytes ? await together.submit({ input: given, trace: traceHeaders() }) : null;
      return bytes ? Readable.from(bytes, { objectMode: false }) : ask(given);
    };
    return [name, open];
  });
  return Object.fromEntries(calls);
}

function signedPath(
  service: string,
  name: string,
  given: unknown,
  { caller, secrets }: Pick<HttpStreamsOptions, "caller" | "secrets">,
): string {
  const input = JSON.stringify(given);
  const expires = String(Date.now() + lifetimeMs);
  const signature = secrets.sign(`${purpose}/${caller}`, `${service}/${name}\n${input}\n${expires}`);
  return `/streams/${service}/${name}?${new URLSearchParams({ caller, input, expires, signature })}`;
}

async function openStream(
  service: string,
  name: string,
  url: string,
  { timeoutMs, send }: Pick<HttpStreamsOptions, "timeoutMs" | "send">,
): Promise<Readable> {
  try {
    // The deadline is for the answer to begin; a long message may take longer to read.
    const request = { method: "GET", timeoutMs, isStreamed: true } as const;
    const answer = await callPeer(`${service}.${name}`, url, request, { isSafe: true, send });
    if (answer.statusCode === 200) return answer;
    const wire: unknown = await jsonOf(answer);
    throw isWireError(wire)
      ? decodeError(wire)
      : new Outage(service, { operator: `stream answered ${answer.statusCode}` });
  } catch (error) {
    throw error instanceof ServiceError ? error : new Outage(service, { cause: error });
  }
}

/** Answers a peer's GET /streams/<service>/<name>. */
export function streamListener(
  contract: Contract,
  implementation: AnyStreamImplementation,
  secrets: Secrets,
): RequestListener {
  return async ({ url, headers }, response) => {
    try {
      const { pathname, searchParams } = new URL(url ?? "/", "http://localhost");
      const name = pathname.split("/")[3] ?? "";
      const [schema, open] = [contract.streams?.[name], implementation[name]];
      // Its caller is of a later release; NotFound would mean that the bytes are gone.
      if (!schema || !open) throw new Outage(contract.service, { operator: `it has no stream ${name}` });
      const asked: unknown = JSON.parse(checkedInput(searchParams, `${contract.service}/${name}`, secrets));
      const openIn = (trace: Parameters<typeof withExtractedContext>[0], given: unknown) =>
        withExtractedContext(trace, () =>
          withSpan(`${contract.service}.${name}`, { kind: answeringKind() }, () => open(schema.parse(given) as never)),
        );
      if (Array.isArray(asked))
        await answerTogether(response, asked as AskedStream[], ({ input, trace }) => openIn(trace, input));
      else await answerStream(response, await openIn(headers, asked));
    } catch (error) {
      const refusal = asServiceError(error);
      if (response.headersSent) return;
      response.writeHead(refusal.status, { "content-type": "application/json" });
      response.end(JSON.stringify(encodeError(refusal, contract.service)));
    }
  };
}

async function answerStream(response: ServerResponse, stream: Readable): Promise<void> {
  response.setHeader("content-type", "application/octet-stream");
  // A source that breaks breaks the connection too, so that the reader never takes a part for the whole.
  await pipeline(stream, response).catch(() => response.destroy());
}

async function answerTogether(
  response: ServerResponse,
  asked: readonly AskedStream[],
  open: (asked: AskedStream) => Promise<Readable>,
): Promise<void> {
  const bytes = encodeSmallStreams(await Promise.all(asked.map((each) => readSmallStream(() => open(each)))));
  response.writeHead(200, { "content-type": "application/octet-stream", "content-length": bytes.length }).end(bytes);
}

function checkedInput(given: URLSearchParams, name: string, secrets: Secrets): string {
  const [caller, input, expires, signature] = ["caller", "input", "expires", "signature"].map((each) =>
    given.get(each),
  );
  const isSigned =
    typeof caller === "string" &&
    typeof input === "string" &&
    typeof expires === "string" &&
    typeof signature === "string" &&
    secrets.verify(`${purpose}/${caller}`, `${name}\n${input}\n${expires}`, signature);
  if (!isSigned || Number(expires) < Date.now())
    throw new Refusal("Forbidden", { public: "This link is not valid, or no longer." });
  return input;
}
