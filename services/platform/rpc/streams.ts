import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import express, { type Request, type Response, type Router } from "express";
import { asServiceError, Outage, Refusal, ServiceError } from "../errors.ts";
import type { Secrets } from "../security/secrets.ts";
import { answeringKind, withExtractedContext, withSpan } from "../telemetry/spans.ts";
import { callPeer } from "./call-peer.ts";
import type { AnyStreamImplementation, Contract, StreamClient } from "./contract.ts";
import type { Fetch } from "./tls-fetch.ts";
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
  /** Sends the request; fetch unless given. */
  send?: Fetch | undefined;
}

/** The same over HTTP: GET on a signed internal URL that is good for a minute. */
export function httpStreams<C extends Contract>(
  contract: C,
  { url, caller, secrets, timeoutMs, send }: HttpStreamsOptions,
): StreamClient<C> {
  const calls = Object.keys(contract.streams ?? {}).map((name) => [
    name,
    (given: unknown) =>
      fetchStream(contract.service, name, `${url}${signedPath(contract.service, name, given, { caller, secrets })}`, {
        timeoutMs,
        send,
      }),
  ]);
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

async function fetchStream(
  service: string,
  name: string,
  url: string,
  { timeoutMs, send }: Pick<HttpStreamsOptions, "timeoutMs" | "send">,
): Promise<Readable> {
  // The deadline is for the answer to begin; a long message may take longer to read.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const response = await callPeer(`${service}.${name}`, url, { signal: deadline.signal }, { isSafe: true, send });
    if (response.ok && response.body) return Readable.fromWeb(response.body as ReadableStream);
    const wire: unknown = await response.json();
    throw isWireError(wire)
      ? decodeError(wire)
      : new Outage(service, { operator: `stream answered ${response.status}` });
  } catch (error) {
    throw error instanceof ServiceError ? error : new Outage(service, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Serves a service's streams under /streams/<service>/<name>. */
export function streamRoutes(contract: Contract, implementation: AnyStreamImplementation, secrets: Secrets): Router {
  const router = express.Router();
  for (const [name, schema] of Object.entries(contract.streams ?? {})) {
    router.get(`/streams/${contract.service}/${name}`, async (request: Request, response: Response) => {
      try {
        const input = checkedInput(request, `${contract.service}/${name}`, secrets);
        const open = implementation[name];
        if (!open) throw new Error(`stream ${name} has no implementation`);
        const stream = await withExtractedContext(request.headers, () =>
          withSpan(`${contract.service}.${name}`, { kind: answeringKind() }, () =>
            open(schema.parse(JSON.parse(input)) as never),
          ),
        );
        response.setHeader("content-type", "application/octet-stream");
        // A source that breaks breaks the connection too, so that the reader never takes a part for the whole.
        await pipeline(stream, response).catch(() => response.destroy());
      } catch (error) {
        const refusal = asServiceError(error);
        if (!response.headersSent) response.status(refusal.status).json(encodeError(refusal, contract.service));
      }
    });
  }
  return router;
}

function checkedInput(request: Request, name: string, secrets: Secrets): string {
  const { caller, input, expires, signature } = request.query;
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
