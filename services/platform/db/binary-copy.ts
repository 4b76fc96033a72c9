import pg from "pg";
import { pieceBytes } from "../buffers.ts";
import { runQuery } from "./driver-query.ts";
import { translateError } from "./errors.ts";
import { observed } from "./observe.ts";

/** What a binary copy begins and ends with (PostgreSQL, COPY, "Binary Format"): signature, no flags, no extension; no more rows. */
const copyHeader = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const copyTrailer = Buffer.from([0xff, 0xff]);
/** The type and length of a CopyData message (PostgreSQL, "Message Formats"). */
const messageHeadBytes = 5;

/** The driver's connection, as far as a copy needs it. */
interface CopyConnection extends pg.Connection {
  endCopyFrom(): void;
}

/** Rows in, their fields in binary. They are written to the socket as they are: the driver would copy them twice. */
class CopyInQuery extends pg.Query {
  readonly #sql: string;
  readonly #rows: readonly (readonly Buffer[])[];

  constructor(into: string, rows: readonly (readonly Buffer[])[]) {
    const sql = `copy ${into} from stdin (format binary)`;
    super(sql);
    this.#sql = sql;
    this.#rows = rows;
  }

  /**
   * Called by the driver. The rows follow at once, so that other statements may come right behind: a server that refuses the
   * copy passes over them.
   */
  override readonly submit = (connection: pg.Connection): void => {
    connection.stream.cork();
    connection.query(this.#sql);
    for (const piece of copyData(this.#rows)) connection.stream.write(piece);
    (connection as CopyConnection).endCopyFrom();
    connection.stream.uncork();
  };

  /** Called by the driver. */
  handleCopyInResponse(): void {
    // The rows are on their way already. Without this the driver would break the copy off.
  }
}

/** A CopyData message with these rows. */
function copyData(rows: readonly (readonly Buffer[])[]): Buffer[] {
  const isLong = (field: Buffer) => field.length >= pieceBytes;
  const fields = rows.flat();
  const overheadBytes = messageHeadBytes + copyHeader.length + 2 * rows.length + 4 * fields.length + copyTrailer.length;
  const shortBytes = overheadBytes + sum(fields.filter((field) => !isLong(field)));
  // All that is not long, in one piece of memory; the long ones go between its parts.
  const short = Buffer.allocUnsafe(shortBytes);
  const pieces: Buffer[] = [];
  let from = 0;
  let at = short.write("d");
  at = short.writeInt32BE(overheadBytes - 1 + sum(fields), at);
  at += copyHeader.copy(short, at);
  for (const row of rows) {
    at = short.writeInt16BE(row.length, at);
    for (const field of row) {
      at = short.writeInt32BE(field.length, at);
      if (isLong(field)) {
        pieces.push(short.subarray(from, at), field);
        from = at;
      } else at += field.copy(short, at);
    }
  }
  copyTrailer.copy(short, at);
  return [...pieces, short.subarray(from)];
}

function sum(buffers: readonly Buffer[]): number {
  return buffers.reduce((size, { length }) => size + length, 0);
}

/** The values of one bytea column. */
class CopyOutQuery extends pg.Query {
  readonly values: Buffer[] = [];
  #isFirst = true;

  constructor(select: string) {
    super(`copy (${select}) to stdout (format binary)`);
  }

  /** Called by the driver, with a row a message. Copied, since it reads what comes next into the same memory. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    let at = this.#isFirst ? copyHeader.length : 0;
    this.#isFirst = false;
    while (at < chunk.length && chunk.readInt16BE(at) === 1) {
      const size = chunk.readInt32BE(at + 2);
      const from = at + 6;
      at = from + Math.max(size, 0);
      this.values.push(Buffer.from(chunk.subarray(from, at)));
    }
  }
}

/** See Queryable.copyRows. */
export async function copyRows(
  on: pg.Pool | pg.ClientBase,
  schema: string,
  into: string,
  rows: readonly (readonly Buffer[])[],
): Promise<void> {
  await run(on, schema, new CopyInQuery(into, rows), `copy ${into}`);
}

/** See Database.copyBytea. */
export async function copyBytea(
  pool: pg.Pool,
  schema: string,
  select: string,
  params: readonly (string | number)[],
): Promise<Buffer[]> {
  const literals = params.map((param) => (typeof param === "number" ? String(param) : pg.escapeLiteral(param)));
  const query = new CopyOutQuery(select.replace(/\$(\d+)/g, (_, number) => literals[Number(number) - 1] ?? "null"));
  await run(pool, schema, query, select);
  return query.values;
}

async function run(on: pg.Pool | pg.ClientBase, schema: string, query: pg.Query, sql: string): Promise<void> {
  await observed({ operation: "query", schema, name: undefined, sql }, async () => {
    try {
      await runQuery(on, query);
    } catch (error) {
      throw translateError(error);
    }
  });
}
