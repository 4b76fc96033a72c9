import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** JSON in pieces, as they are made. */
export type JsonPieces = AsyncIterable<string | Buffer>;

/** So much is waited for before the answer begins: a shorter one has its length, and what fails by then is an error and no half of an answer. */
const gatheredBytes = 256 * 1024;

const pageSize = 500;

/** Writes a JSON answer; a long one is never whole in memory. @throws any error of the pieces */
export async function sendJson(response: ServerResponse, status: number, json: string | JsonPieces): Promise<void> {
  const pieces = typeof json === "string" ? undefined : json[Symbol.asyncIterator]();
  const { gathered, isWhole } = pieces ? await gather(pieces) : { gathered: Buffer.from(String(json)), isWhole: true };
  const type = { "content-type": "application/json; charset=utf-8" };
  if (isWhole || !pieces) {
    response.writeHead(status, { ...type, "content-length": gathered.length }).end(gathered);
    return;
  }
  response.writeHead(status, type);
  if (response.req.method === "HEAD") {
    await pieces.return?.();
    response.end();
  } else await pipeline(Readable.from(following(gathered, pieces), { objectMode: false }), response);
}

async function gather(pieces: AsyncIterator<string | Buffer>): Promise<{ gathered: Buffer; isWhole: boolean }> {
  const found: Buffer[] = [];
  let sizeBytes = 0;
  let isWhole = false;
  while (sizeBytes < gatheredBytes && !isWhole) {
    const { done = false, value } = await pieces.next();
    const piece = done ? Buffer.alloc(0) : Buffer.from(value);
    found.push(piece);
    sizeBytes += piece.length;
    isWhole = done;
  }
  return { gathered: Buffer.concat(found), isWhole };
}

async function* following(first: Buffer, pieces: AsyncIterator<string | Buffer>): AsyncGenerator<string | Buffer> {
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
    const shown = items(page).map((item) => JSON.stringify(item));
    yield `${isFirst ? `{${begin.join("")}${JSON.stringify(name)}:[` : ""}${shown.length > 0 ? separator : ""}${shown.join(",")}`;
    if (shown.length > 0) separator = ",";
    isFirst = false;
  }
  yield "]}";
}
