import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { invalidField } from "../../platform/errors.ts";
import { bindingLimits } from "../contract.ts";
import { importLimits } from "./contract.ts";
import type { AddressEntry } from "./entries.ts";

/** A line of a file is no longer than this; one that is has a quotation mark that never ends. */
const maxRecordBytes = 64 * 1024;
const chunkCharacters = 64 * 1024;
const maxColumns = 100;

/** By what name each service heads a column; lower case, without blanks, hyphens and underscores. */
const columnsOf = {
  address: ["alias", "email", "fulladdress", "address", "mask", "emailmask", "relayaddress", "proxyaddress"],
  note: ["note", "description", "label", "generatedfor", "usedon"],
  isEnabled: ["enabled", "active"],
  targets: ["mailboxes", "recipients", "mailbox", "recipient", "forwardto", "forwardsto"],
  name: ["fromname", "displayname"],
  deletedAt: ["deletedat"],
} as const;

type Column = keyof typeof columnsOf;
type Row = Partial<Record<Column, string>>;

/**
 * Addresses from a file of comma-separated values (RFC 4180) with a header line, as SimpleLogin, addy.io and Firefox Relay write them.
 * Columns that are not known are left out. Addresses that were deleted there are left out as well.
 * @throws Refusal ValidationFailed for what is no such file, or has too many lines
 */
export async function readAddresses(content: string): Promise<AddressEntry[]> {
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
  });
  try {
    return await entriesOf(recordsOf(content, parser));
  } catch (error) {
    if (error instanceof CsvError) throw invalidField("content", `is no CSV file: ${error.code}.`);
    throw error;
  } finally {
    parser.destroy();
  }
}

async function entriesOf(records: AsyncGenerator<string[]>): Promise<AddressEntry[]> {
  const { value: header, done } = await records.next();
  if (done) throw invalidField("content", "is empty: a line with the names of the columns was expected.");
  const columns = columnsIn(header);
  const entries: AddressEntry[] = [];
  for await (const record of records) {
    const row = rowOf(columns, record);
    if (row.address && !row.deletedAt) entries.push(entryOf(row));
    if (entries.length > importLimits.entries)
      throw invalidField("content", `has more than ${importLimits.entries} addresses.`);
  }
  return entries;
}

/** In pieces, so that a bad beginning ends the reading. */
async function* recordsOf(content: string, parser: ReturnType<typeof parse>): AsyncGenerator<string[]> {
  const pieces = (function* () {
    for (let at = 0; at < content.length; at += chunkCharacters) yield content.slice(at, at + chunkCharacters);
  })();
  const source = Readable.from(pieces);
  source.on("error", (error) => parser.destroy(error));
  try {
    for await (const record of source.pipe(parser)) yield record as string[];
  } finally {
    source.destroy();
  }
}

function columnsIn(header: readonly string[]): (Column | undefined)[] {
  if (header.length > maxColumns) throw invalidField("content", `has more than ${maxColumns} columns.`);
  const known = header.map((name) => {
    const plain = name.toLowerCase().replaceAll(/[\s_-]/g, "");
    return (Object.keys(columnsOf) as Column[]).find((column) =>
      (columnsOf[column] as readonly string[]).includes(plain),
    );
  });
  if (!known.includes("address"))
    throw invalidField("content", "its first line names no column of addresses, such as alias or email.");
  return known;
}

/** Of two columns with the same meaning the first that says something counts. */
function rowOf(columns: readonly (Column | undefined)[], record: readonly string[]): Row {
  const row: Row = {};
  for (const [at, column] of columns.entries()) if (column && !row[column]) row[column] = record[at]?.trim();
  return row;
}

function entryOf({ address = "", note = "", isEnabled = "", targets = "", name = "" }: Row): AddressEntry {
  const isOn = !/^(false|0|no|off|inactive)$/i.test(isEnabled);
  const addresses = targets.split(/[\s,;]+/).filter((each) => each !== "");
  return {
    kind: "address",
    address: address.slice(0, 1_000),
    settings: {
      description: note.slice(0, bindingLimits.descriptionCharacters),
      ...(name === "" ? {} : { displayName: name.slice(0, bindingLimits.nameCharacters) }),
    },
    targets: addresses
      .slice(0, bindingLimits.realAddresses)
      .map((each) => ({ address: each.slice(0, 1_000), isEnabled: isOn, isInternal: false })),
    isEnabled: isOn,
    sites: [],
  };
}
