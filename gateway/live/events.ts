import type { IncomingMessage, ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { mailboxContract } from "../../services/mailbox/contract.ts";
import { Refusal } from "../../services/platform/errors.ts";
import type { StreamClient } from "../../services/platform/rpc/contract.ts";
import type { CallerAuthenticator } from "../graph/caller-authenticator.ts";

/** After so long the browser connects again, and has to be signed in still. */
const connectionLimitMs = 15 * 60_000;
/** How often its session is looked up, or its token: both may end while it is open. */
const recheckMs = 5_000;
/** How long a browser waits before it connects again. */
const retryMs = 3_000;
/** What a client that does not read may leave in memory before its connection is broken off. */
const unreadLimitBytes = 64 * 1024;

/** Sends server-sent events (WHATWG HTML section 9.2): one connection for all inboxes of an account. */
export class LiveEvents {
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
   * `event: email` with `{"bindingId", "emailId"}` for each email that can be read from now on. Events are not repeated: a
   * client that reconnects reads the list again. @throws Refusal for who may not listen
   */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { accountId } = await this.#authenticator.account(request.headers, "mail:read");
    const arrivals = await this.#mailbox.arrivals({ ownerId: accountId });
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
    const recheck = setInterval(async () => {
      if (!(await this.#isStillSignedIn(request))) end();
    }, this.#recheckMs);
    this.#open.add(end);
    response.on("error", () => arrivals.destroy());
    response.once("close", () => {
      clearTimeout(timer);
      clearInterval(recheck);
      this.#open.delete(end);
      arrivals.destroy();
    });
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      // A proxy that gathers what it passes on would hold the events back (nginx).
      "x-accel-buffering": "no",
    });
    response.write(`retry: ${retryMs}\n\n`);
    await forward(arrivals, response);
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

  /** Ends every connection; browsers come back. */
  end(): void {
    for (const end of this.#open) end();
  }
}

/** A line is an email; an empty one a heartbeat. Returns when the stream ends or breaks off. */
async function forward(arrivals: Readable, response: ServerResponse): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    arrivals.once("error", () => resolve());
    arrivals.once("close", () => resolve());
  });
  const lines = createInterface({ input: arrivals, crlfDelay: Number.POSITIVE_INFINITY });
  // readline hands the error of its input on: without a listener it would end the process.
  lines.on("error", () => undefined);
  lines.on("line", (line) => {
    if (response.writableEnded || response.destroyed) return;
    response.write(line === "" ? ":\n\n" : `event: email\ndata: ${line}\n\n`);
    if (response.writableLength > unreadLimitBytes) response.destroy();
  });
  await Promise.race([ended, new Promise<void>((resolve) => lines.once("close", resolve))]);
}
