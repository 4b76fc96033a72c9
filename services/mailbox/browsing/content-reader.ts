import { asError } from "../../platform/errors.ts";
import { type Loader, loaderOf } from "../../platform/graph/loader.ts";
import type { ContentLimits } from "../limits.ts";
import type { CompleteBodies } from "../payload/bodies.ts";
import type { ContentRenderer } from "../payload/content-renderer.ts";
import { answerTooLarge, type ContentRow, type StoredContents } from "./stored-contents.ts";

interface ContentReaderDependencies {
  readonly contents: StoredContents;
  readonly renderer: ContentRenderer;
  readonly limits: Pick<ContentLimits, "payloadBytes">;
}

interface HeaderField {
  name: string;
  value: string;
}

/** Reads contents for one request of the graph, whose answer carries no more of them than PAYLOAD_LIMIT_MB, however often they are asked for. */
export class ContentReader {
  readonly #rows: Loader<ContentRow | null>;
  readonly #bodies: Loader<CompleteBodies | null>;
  readonly #truncations: Loader<boolean>;
  #charactersLeft: number;

  constructor({ contents, renderer, limits }: ContentReaderDependencies) {
    this.#charactersLeft = limits.payloadBytes;
    this.#rows = loaderOf<ContentRow | null>(
      (ids) => contents.findMany(ids),
      () => null,
    );
    this.#bodies = loaderOf<CompleteBodies | null>(
      async (ids) =>
        new Map(await Promise.all(ids.map(async (id) => [id, await this.#render(id, contents, renderer)] as const))),
      () => null,
    );
    this.#truncations = loaderOf<boolean>(
      (ids) => contents.truncations(ids),
      () => false,
    );
  }

  /** Null as long as the email is not parsed. @throws Refusal AnswerTooLarge. */
  async text(emailId: string): Promise<string | null> {
    const bodies = await this.#bodies.load(emailId);
    return bodies && this.#within(bodies.text, bodies.text.length);
  }

  /** The same of the HTML. */
  async html(emailId: string): Promise<string | null> {
    const bodies = await this.#bodies.load(emailId);
    return bodies && this.#within(bodies.html, bodies.html.length);
  }

  /** Whether the email has HTML of its own. Null as long as it is not parsed. */
  async isHtml(emailId: string): Promise<boolean | null> {
    return (await this.#rows.load(emailId))?.isHtml ?? null;
  }

  /** As `text`. */
  async headers(emailId: string): Promise<HeaderField[] | null> {
    const row = await this.#rows.load(emailId);
    if (!row) return null;
    const characters = row.headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    return this.#within(
      row.headers.map(([name, value]) => ({ name, value })),
      characters,
    );
  }

  isTruncated(emailId: string): Promise<boolean> {
    return this.#truncations.load(emailId);
  }

  async #render(
    emailId: string,
    contents: StoredContents,
    renderer: ContentRenderer,
  ): Promise<CompleteBodies | null | Error> {
    try {
      const row = await this.#rows.load(emailId);
      return row && (await renderer.bodies(contents.bodiesOf(row)));
    } catch (error) {
      return asError(error);
    }
  }

  #within<Value>(value: Value, characters: number): Value {
    this.#charactersLeft -= characters;
    if (this.#charactersLeft < 0) throw answerTooLarge();
    return value;
  }
}
