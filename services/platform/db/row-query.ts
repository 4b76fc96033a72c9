import pg from "pg";

/** What the driver tells a query about its result's columns. */
interface RowDescription {
  readonly fields: { name: string }[];
}

/** How the driver reads the rows of a result: from their description, once for each result. */
interface RowReading {
  fields: readonly { name: string }[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** The driver's connection, as far as a query writes to it. */
interface Connection {
  describe(portal: object): void;
}

/** The driver's query, with the methods that its typings leave out. */
const DriverQuery = pg.Query as unknown as new (
  text: string,
  values: unknown[],
) => pg.Query & {
  name: string | undefined;
  readonly _result: RowReading;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: RowDescription): void;
  handleCommandComplete(message: object, connection: Connection): void;
};

const propertyNames = new Map<string, string>();

/** `received_at` as `receivedAt`. Exported for tests. */
export function propertyName(column: string): string {
  let name = propertyNames.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    propertyNames.set(column, name);
  }
  return name;
}

/** `receivedAt` as `received_at`. */
export function columnName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What a connection's prepared statements give, as far as it has described them. */
interface Descriptions {
  readonly byName: Map<string, RowReading>;
  /** The connection, which does not ask for them again. */
  readonly asDescribed: Connection;
}

/** They hold as long as the connection: PostgreSQL refuses to run a prepared statement whose columns have become others. */
const descriptions = new WeakMap<Connection, Descriptions>();

function descriptionsOn(connection: Connection): Descriptions {
  let found = descriptions.get(connection);
  if (!found) {
    found = { byName: new Map(), asDescribed: Object.create(connection, { describe: { value: () => undefined } }) };
    descriptions.set(connection, found);
  }
  return found;
}

/**
 * A query whose rows have a camelCase property for each column: the only place where one becomes the other. One that is prepared has its
 * columns described once for each connection.
 */
export class RowQuery extends DriverQuery {
  #descriptions: Descriptions | undefined;

  /** @param name of a prepared statement. Set here, since the driver would clone an object that holds all three. */
  constructor(text: string, values: unknown[], name?: string) {
    super(text, values);
    this.name = name;
  }

  /** Called by the driver, to send it. */
  override prepare(connection: Connection): void {
    this.#descriptions = descriptionsOn(connection);
    const known = this.#descriptions.byName.get(this.name ?? "");
    if (known) {
      Object.assign(this._result, known);
      this._accumulateRows = true;
    }
    super.prepare(known ? this.#descriptions.asDescribed : connection);
  }

  override handleRowDescription(message: RowDescription): void {
    for (const field of message.fields) field.name = propertyName(field.name);
    super.handleRowDescription(message);
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    super.handleCommandComplete(message, connection);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (this.name !== undefined)
      this.#descriptions?.byName.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}
