import pg from "pg";
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

/** One row in, its fields in binary. They are written to the socket as they are: the driver would copy them twice. */
class RowIn extends pg.Query {
  readonly #fields: readonly Buffer[];

  constructor(into: string, fields: readonly Buffer[]) {
    super(`copy ${into} from stdin (format binary)`);
    this.#fields = fields;
  }

  /** Called by the driver. */
  handleCopyInResponse(connection: CopyConnection): void {
    const pieces = this.#fields.flatMap((field) => [int32(field.length), field]);
    const content = [copyHeader, int16(this.#fields.length), ...pieces, copyTrailer];
    const head = Buffer.alloc(messageHeadBytes);
    head.write("d");
    head.writeInt32BE(
      content.reduce((size, { length }) => size + length, 4),
      1,
    );
    connection.stream.cork();
    for (const piece of [head, ...content]) connection.stream.write(piece);
    connection.endCopyFrom();
    connection.stream.uncork();
  }
}

/** The values of one bytea column. */
class OctetsOut extends pg.Query {
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

/** See Database.copyRow. */
export async function copyRow(pool: pg.Pool, schema: string, into: string, fields: readonly Buffer[]): Promise<void> {
  await run(pool, schema, new RowIn(into, fields), `copy ${into}`);
}

/** See Database.octets. */
export async function octets(
  pool: pg.Pool,
  schema: string,
  select: string,
  params: readonly (string | number)[],
): Promise<Buffer[]> {
  const literals = params.map((param) => (typeof param === "number" ? String(param) : pg.escapeLiteral(param)));
  const query = new OctetsOut(select.replace(/\$(\d+)/g, (_, number) => literals[Number(number) - 1] ?? "null"));
  await run(pool, schema, query, select);
  return query.values;
}

async function run(pool: pg.Pool, schema: string, query: pg.Query, sql: string): Promise<void> {
  await observed({ operation: "query", schema, name: undefined, sql }, async () => {
    try {
      // A promise: the typings know queries of one's own in the style of events alone.
      await pool.query(query);
    } catch (error) {
      throw translateError(error);
    }
  });
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
