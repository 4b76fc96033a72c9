import { type ContentLimits, inlineBytes } from "../limits.ts";
import { BudgetExceeded } from "../workers/budget-exceeded.ts";
import type { Functions } from "../workers/protocol.ts";
import type { BodiesTask, PayloadTask } from "../workers/render-tasks.ts";
import type { Workers } from "../workers/worker-pool.ts";
import { type Bodies, type CompleteBodies, completeBodies } from "./bodies.ts";
import { type BuiltPayload, buildPayload, type Payload, type PayloadSource } from "./payload.ts";
import { payloadJson } from "./payload-json.ts";

/** HTML with more tags is rendered in a worker, however short it is. */
const inlineTags = 20_000;

/** A payload, whole or in pieces. */
export interface RenderedPayload {
  /** A text was cut, or the payload is reduced. */
  readonly isTruncated: boolean;
  /** As JSON. */
  pieces(): Iterable<string | Buffer>;
  value(): Payload;
}

/** The stored bodies of an email, to be read as they are needed. */
export interface StoredBodies {
  /** Of both, in UTF-8. */
  readonly sizeBytes: number;
  /** Rendering them exceeded its budget before: only their beginning is shown. */
  readonly isReduced: boolean;
  /** Each up to some characters. */
  asText(characters: number): Promise<Bodies>;
  /** The same in UTF-8; empty where there is none. */
  asBytes(characters: number): Promise<{ text: Buffer; html: Buffer }>;
  /** Remembers that rendering them exceeded its budget, so that it is not tried again. */
  markReduced(): Promise<void>;
}

interface Rendering<Result> {
  inline(bodies: Bodies): Result;
  /** The task of a worker, its input without the bodies, and the functions that it calls. */
  readonly task: string;
  readonly input: object;
  readonly functions: Functions;
  finish(result: never): Result;
}

/** Renders stored bodies: small ones directly, large ones and those of very many tags in a worker. */
export class ContentRenderer {
  readonly #workers: Workers;
  readonly #limits: ContentLimits;

  constructor(workers: Workers, limits: ContentLimits) {
    this.#workers = workers;
    this.#limits = limits;
  }

  /** Both bodies, a missing one converted from the other. */
  bodies(stored: StoredBodies): Promise<CompleteBodies> {
    const limits = this.#limits;
    return this.#render(stored, {
      inline: (bodies) => completeBodies(bodies, limits),
      task: "bodies",
      input: { limits } satisfies Omit<BodiesTask, "text" | "html">,
      functions: {},
      finish: (result: CompleteBodies) => result,
    });
  }

  payload(email: PayloadSource, stored: StoredBodies): Promise<RenderedPayload> {
    const limits = this.#limits;
    const pieces: Buffer[] = [];
    return this.#render(stored, {
      inline: (bodies) => renderedInline(buildPayload({ ...email, ...bodies }, limits)),
      task: "payload",
      input: { email, limits } satisfies Omit<PayloadTask, "text" | "html">,
      functions: { write: async (piece: Buffer) => void pieces.push(piece) },
      finish: (isTruncated: boolean) => ({
        isTruncated,
        pieces: () => pieces,
        value: () => JSON.parse(Buffer.concat(pieces).toString()) as Payload,
      }),
    });
  }

  async #render<Result extends { isTruncated: boolean }>(
    stored: StoredBodies,
    rendering: Rendering<Result>,
  ): Promise<Result> {
    if (stored.isReduced) return this.#reduced(stored, rendering);
    if (stored.sizeBytes <= inlineBytes) {
      const bodies = await stored.asText(inlineBytes);
      if (!isMarkupHeavy(bodies.html)) return rendering.inline(bodies);
    }
    try {
      return rendering.finish((await this.#inWorker(stored, rendering)) as never);
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
      await stored.markReduced();
      return this.#reduced(stored, rendering);
    }
  }

  #inWorker(
    stored: StoredBodies,
    { task, input, functions }: Pick<Rendering<unknown>, "task" | "input" | "functions">,
  ) {
    return this.#workers.run(task, async () => {
      return { input: { ...input, ...(await stored.asBytes(this.#limits.textBytes)) }, functions };
    });
  }

  async #reduced<Result>(stored: StoredBodies, rendering: Rendering<Result>): Promise<Result> {
    const beginning = await stored.asText(this.#limits.reducedTextCharacters);
    return { ...rendering.inline(beginning), isTruncated: true };
  }
}

/**
 * What is rendered in this process costs no more than its characters and tags do: every conversion is linear in them, as the tests of
 * steps show. Of 256 KiB the characters take little, but what is nothing but tags takes ten times as much as a page of that size.
 */
function isMarkupHeavy(html: string | null): boolean {
  let count = 0;
  for (let at = html?.indexOf("<") ?? -1; at !== -1 && count <= inlineTags; at = html?.indexOf("<", at + 1) ?? -1)
    count += 1;
  return count > inlineTags;
}

function renderedInline({ payload, isTruncated }: BuiltPayload): RenderedPayload {
  return { isTruncated, pieces: () => payloadJson(payload), value: () => payload };
}
