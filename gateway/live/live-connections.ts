import type { IncomingMessage, ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { mailboxContract } from "../../services/mailbox/contract.ts";
import { Refusal } from "../../services/platform/errors.ts";
import type { GraphCaller } from "../../services/platform/graph/caller-statement.ts";
import type { StreamClient } from "../../services/platform/rpc/contract.ts";
import type { CallerAuthenticator } from "../graph/caller-authenticator.ts";

/** After so long the client connects again, and has to be signed in still. */
const connectionLimitMs = 15 * 60_000;
/** How often its session is looked up, or its token: both may end while it is open. */
const recheckMs = 5_000;
/** What a client that does not read may leave in memory before its connection is broken off. */
const unreadLimitBytes = 64 * 1024;

/** A connection that stays open, as who fills it sees it. */
export interface LiveConnection {
  /** Nothing is written after the end. */
  write(text: string): void;
  end(): void;
  /** False once the credentials are refused: asked before content is told, which may come long after they were last looked at. */
  isStillSignedIn(): Promise<boolean>;
}

/** What is done on a connection. */
export interface LiveListener {
  /** The headers are written. */
  opened(connection: LiveConnection): void;
  /** An email can be read. @param line of JSON with `bindingId` and `emailId` */
  arrived(line: string, connection: LiveConnection): void;
  /** It has ended, from either side. */
  closed?(): void;
}

/**
 * Server-sent events (WHATWG HTML section 9.2) for an account, fed by mailbox's arrivals, whose number is limited for each account. A
 * connection ends after 15 minutes, once its credentials are refused, and when its client does not read.
 */
export class LiveConnections {
  readonly #authenticator: Pick<CallerAuthenticator, "account">;
  readonly #mailbox: Pick<StreamClient<typeof mailboxContract>, "arrivals">;
  readonly #limitMs: number;
  readonly #recheckMs: number;
  /** Ends each open connection. */
  readonly #open = new Set<() => void>();

  constructor(
    authenticator: Pick<CallerAuthenticator, "account">,
    mailbox: Pick<StreamClient<typeof mailboxContract>, "arrivals">,
    times: { limitMs?: number; recheckMs?: number } = {},
  ) {
    this.#authenticator = authenticator;
    this.#mailbox = mailbox;
    this.#limitMs = times.limitMs ?? connectionLimitMs;
    this.#recheckMs = times.recheckMs ?? recheckMs;
  }

  /**
   * Resolves when the connection has ended.
   * @param prepare for whoever is signed in, before anything is answered
   * @throws Refusal for who may not listen, and as `prepare`
   */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    prepare: (caller: GraphCaller) => Promise<LiveListener>,
  ): Promise<void> {
    const caller = await this.#authenticator.account(request.headers, "mail:read");
    const listener = await prepare(caller);
    const arrivals = await this.#mailbox.arrivals({ ownerId: caller.accountId });
    // The client may have hung up meanwhile: its "close" is over.
    if (response.destroyed) {
      arrivals.destroy();
      return;
    }
    // The stream first, so that nothing is written after the end to a client that reads too slowly to see it.
    const end = () => {
      arrivals.destroy();
      response.end();
    };
    const timer = setTimeout(end, this.#limitMs);
    const isStillSignedIn = () => this.#isStillSignedIn(request);
    const recheck = setInterval(async () => {
      if (!(await isStillSignedIn())) end();
    }, this.#recheckMs);
    this.#open.add(end);
    response.on("error", () => arrivals.destroy());
    response.once("close", () => {
      clearTimeout(timer);
      clearInterval(recheck);
      this.#open.delete(end);
      arrivals.destroy();
      listener.closed?.();
    });
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      // A proxy that gathers what it passes on would hold the events back (nginx).
      "x-accel-buffering": "no",
    });
    response.flushHeaders();
    const connection = { write: (text: string) => writeTo(response, text), end, isStillSignedIn };
    listener.opened(connection);
    await forward(arrivals, (line) => {
      if (line === "") connection.write(":\n\n");
      else listener.arrived(line, connection);
    });
    end();
  }

  /** False once the session or the token is refused: signed out, revoked, or the account disabled. An outage refuses nobody. */
  async #isStillSignedIn({ headers }: IncomingMessage): Promise<boolean> {
    try {
      await this.#authenticator.account(headers, "mail:read");
      return true;
    } catch (error) {
      return !(error instanceof Refusal);
    }
  }

  /** Ends every connection; clients come back. */
  end(): void {
    for (const end of this.#open) end();
  }
}

function writeTo(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return;
  response.write(text);
  if (response.writableLength > unreadLimitBytes) response.destroy();
}

/** A line is an email; an empty one a heartbeat. Returns when the stream ends or breaks off. */
async function forward(arrivals: Readable, onLine: (line: string) => void): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    arrivals.once("error", () => resolve());
    arrivals.once("close", () => resolve());
  });
  const lines = createInterface({ input: arrivals, crlfDelay: Number.POSITIVE_INFINITY });
  // readline hands the error of its input on: without a listener it would end the process.
  lines.on("error", () => undefined);
  lines.on("line", onLine);
  await Promise.race([ended, new Promise<void>((resolve) => lines.once("close", resolve))]);
}
