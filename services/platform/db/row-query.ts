import pg from "pg";

/** What the driver tells a query about its result's columns, once for each result. */
interface RowDescription {
  readonly fields: { name: string }[];
}

/** The driver's query, with the method that its typings leave out. */
const DriverQuery = pg.Query as unknown as new (
  text: string,
  values: unknown[],
) => pg.Query & { name: string | undefined; handleRowDescription(message: RowDescription): void };

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

/** A query whose rows have a camelCase property for each column: the only place where one becomes the other. */
export class RowQuery extends DriverQuery {
  /** @param name of a prepared statement. Set here, since the driver would clone an object that holds all three. */
  constructor(text: string, values: unknown[], name?: string) {
    super(text, values);
    this.name = name;
  }

  override handleRowDescription(message: RowDescription): void {
    for (const field of message.fields) field.name = propertyName(field.name);
    super.handleRowDescription(message);
  }
}
