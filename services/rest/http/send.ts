import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

type Piece = string | Buffer;

/** JSON in pieces, as they are made. */
export type JsonPieces = AsyncIterable<Piece>;

/** So much is waited for before the answer begins: a shorter one has its length, and what fails by then is an error and no half of an answer. */
const gatheredBytes = 256 * 1024;

const pageSize = 500;

/** Writes a JSON answer; a long one is never whole in memory. @throws any error of the pieces */
export async function sendJson(response: ServerResponse, status: number, json: string | JsonPieces): Promise<void> {
  const pieces = typeof json === "string" ? undefined : json[Symbol.asyncIterator]();
  const { gathered, isWhole } = pieces ? await gather(pieces) : { gathered: String(json), isWhole: true };
  const type = { "content-type": "application/json; charset=utf-8" };
  if (isWhole || !pieces) {
    response.writeHead(status, { ...type, "content-length": Buffer.byteLength(gathered) }).end(gathered);
    return;
  }
  response.writeHead(status, type);
  if (response.req.method === "HEAD") {
    await pieces.return?.();
    response.end();
  } else await pipeline(Readable.from(following(gathered, pieces), { objectMode: false }), response);
}

async function gather(pieces: AsyncIterator<Piece>): Promise<{ gathered: Piece; isWhole: boolean }> {
  const found: Piece[] = [];
  let sizeBytes = 0;
  let isWhole = false;
  while (sizeBytes < gatheredBytes && !isWhole) {
    const { done = false, value } = await pieces.next();
    if (!done) found.push(value);
    sizeBytes += done ? 0 : Buffer.byteLength(value);
    isWhole = done;
  }
  return { gathered: joined(found), isWhole };
}

/** Text stays text: Node sends it in one write with the headers, and a buffer in one of its own. */
function joined(pieces: readonly Piece[]): Piece {
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  return Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
}

async function* following(first: Piece, pieces: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  try {
    yield first;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  } finally {
    await pieces.return?.();
  }
}

/** What a service lists, asked for so many at a time: all of it may be far more than what should be in memory. */
export async function* allPages<Page extends { nextCursor: string | null }>(
  list: (page: { first: number; after: string | undefined }) => Promise<Page>,
): AsyncGenerator<Page> {
  let after: string | undefined;
  do {
    const page = await list({ first: pageSize, after });
    yield page;
    after = page.nextCursor ?? undefined;
  } while (after !== undefined);
}

/**
 * A document with one long array, from pages of its items as they come.
 * @param head the members before the array, which may depend on the first page
 */
export async function* arrayDocument<Page>(
  name: string,
  pages: AsyncIterable<Page>,
  { head, items }: { head(first: Page): object; items(page: Page): readonly unknown[] },
): AsyncGenerator<string> {
  let separator = "";
  let isFirst = true;
  for await (const page of pages) {
    const members = isFirst ? Object.entries(head(page)) : [];
    const begin = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`);
    // All at once, without its brackets.
    const shown = JSON.stringify(items(page)).slice(1, -1);
    yield `${isFirst ? `{${begin.join("")}${JSON.stringify(name)}:[` : ""}${shown === "" ? "" : separator}${shown}`;
    if (shown !== "") separator = ",";
    isFirst = false;
  }
  yield "]}";
}
