import { Refusal } from "../../platform/errors.ts";
import type { BodyPieces } from "../calls/call.ts";
import type { CallbackResponse } from "../egress/post.ts";
import type { Recorders } from "./recorders.ts";

/** Where recorders are called, under PUBLIC_URL. */
const callPath = "/api/v1/callback/call/";

/** A recorder says no more than its status. */
const nothing = { headers: {}, body: Buffer.alloc(0) };

/** Delivers callbacks whose target is a recorder of this installation directly, without an HTTP request. */
export class LocalRecorder {
  readonly #recorders: Pick<Recorders, "record">;
  readonly #origin: string;
  readonly #prefix: string;

  /** @param publicUrl PUBLIC_URL, which may have a path */
  constructor(recorders: Pick<Recorders, "record">, publicUrl: string) {
    const { origin, pathname } = new URL(publicUrl);
    this.#recorders = recorders;
    this.#origin = origin;
    this.#prefix = `${pathname.replace(/\/$/, "")}${callPath}`;
  }

  /** The recorder that a URL calls; undefined if it calls somebody else. */
  hashOf(text: string): string | undefined {
    if (!URL.canParse(text)) return undefined;
    const { origin, pathname } = new URL(text);
    return origin === this.#origin && pathname.startsWith(this.#prefix)
      ? pathname.slice(this.#prefix.length)
      : undefined;
  }

  /** Records a callback, and responds as the call URL would. */
  async call(hash: string, body: BodyPieces): Promise<CallbackResponse> {
    try {
      await this.#recorders.record(hash, "POST", Buffer.concat(body));
      return { status: 200, retryAfter: undefined, ...nothing };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, retryAfter: undefined, ...nothing };
      throw error;
    }
  }
}
