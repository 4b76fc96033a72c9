import type { IncomingMessage, ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { mailboxContract } from "../../services/mailbox/contract.ts";
import type { StreamClient } from "../../services/platform/rpc/contract.ts";
import type { Credentials } from "../graph/credentials.ts";

/** After so long the browser connects again, and has to be signed in still. */
const longestMs = 15 * 60_000;
/** How long a browser waits before it does. */
const retryMs = 3_000;

/** Tells browsers what happens, as server-sent events (WHATWG HTML section 9.2): one connection for all inboxes of an account. */
export class LiveEvents {
  readonly #credentials: Credentials;
  readonly #mailbox: Pick<StreamClient<typeof mailboxContract>, "arrivals">;
  readonly #open = new Set<ServerResponse>();

  constructor(credentials: Credentials, mailbox: Pick<StreamClient<typeof mailboxContract>, "arrivals">) {
    this.#credentials = credentials;
    this.#mailbox = mailbox;
  }

  /**
   * `event: email` with `{"bindingId", "emailId"}` for each email that can be read from now on. Nothing is told again: who
   * connects anew reads the list anew. @throws Refusal for who may not listen
   */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { accountId } = await this.#credentials.account(request.headers);
    const arrivals = await this.#mailbox.arrivals({ ownerId: accountId });
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      // A proxy that gathers what it passes on would hold the events back (nginx).
      "x-accel-buffering": "no",
    });
    response.write(`retry: ${retryMs}\n\n`);
    const timer = setTimeout(() => response.end(), longestMs);
    this.#open.add(response);
    response.once("close", () => {
      clearTimeout(timer);
      this.#open.delete(response);
      arrivals.destroy();
    });
    await pass(arrivals, response);
    response.end();
  }

  /** Ends every connection; browsers come back. */
  end(): void {
    for (const response of this.#open) response.end();
  }
}

/** A line is an email; an empty one a sign of life. What breaks off is the end, for the browser to begin anew. */
async function pass(arrivals: Readable, response: ServerResponse): Promise<void> {
  const broken = new Promise<void>((resolve) => arrivals.once("error", () => resolve()));
  const lines = createInterface({ input: arrivals, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on("line", (line) => response.write(line === "" ? ":\n\n" : `event: email\ndata: ${line}\n\n`));
  await Promise.race([broken, new Promise<void>((resolve) => lines.once("close", resolve))]);
}
