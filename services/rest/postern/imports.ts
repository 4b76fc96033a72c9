import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { ImportRow, Import as ImportSchema, ImportSource } from "../../bindings/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import { pagesWhileInForce, type RequireInForce } from "../../platform/http/while-in-force.ts";
import { absentIfNull, wellFormedText } from "../http/schemas.ts";
import type { Services } from "../services.ts";
import { dataOf, listOf, posternEndpoint } from "./endpoint.ts";

/** A file of 10 MiB as JSON has it. */
const bodyLimitBytes = 12 * 1024 * 1024;
const pageSize = 500;

const Import = ImportSchema.meta({ id: "Import" });
const Row = ImportRow.meta({ id: "ImportRow" });

const NewImport = z
  .object(
    {
      source: ImportSource,
      content: absentIfNull(z.string({ error: "expected what the file holds" })).meta({
        description: "For all but simplelogin-api: what the file holds",
      }),
      baseUrl: absentIfNull(wellFormedText("a URL")).meta({ description: "For simplelogin-api: where SimpleLogin is" }),
      key: absentIfNull(wellFormedText("a string")).meta({
        description: "For simplelogin-api: an API key of it, forgotten once its list was read",
      }),
    },
    { error: "expected an object" },
  )
  .meta({
    id: "NewImport",
    example: {
      source: "simplelogin",
      content: "alias,note,enabled,mailboxes\nshop@sl.example,Shop,True,me@example.org\n",
    },
  });

const importDryRun = posternEndpoint({
  name: "importDryRun",
  summary: "See what an import would make",
  description:
    "Reads SimpleLogin's CSV file, its API, addy.io's or Firefox Relay's CSV file, or Postern's own export, and says of each row what would become of it. Makes nothing, and nothing is ever mailed. 20 an hour.",
  method: "POST",
  path: "/imports",
  scope: "admin",
  body: NewImport,
  bodyLimitBytes,
  responses: { 201: dataOf(Import) },
  refusals: [409, 429],
  handle: async ({ services, caller, body }) => ({
    status: 201,
    data: await services.bindings.importDryRun({ ownerId: caller.accountId, ...body }),
  }),
});

const startImport = posternEndpoint({
  name: "startImport",
  summary: "Make what an import read",
  description:
    "What is on a domain that you have not proved gets a new address; with makesNewAddresses false it is left until the import is started again. Targets that are not verified stay so, and are sent nothing.",
  method: "POST",
  path: "/imports/{id}/start",
  scope: "admin",
  body: z.object(
    { makesNewAddresses: absentIfNull(z.boolean({ error: "expected true or false" })) },
    { error: "expected an object" },
  ),
  responses: { 202: dataOf(Import) },
  refusals: [404, 409],
  async handle({ services, caller, path: { id = "" }, body: { makesNewAddresses = true } }) {
    const wanted = { ownerId: caller.accountId, id, makesNewAddresses, apiKey: caller.key };
    return { status: 202, data: await services.bindings.startImport(wanted) };
  },
});

const listImports = posternEndpoint({
  name: "listImports",
  summary: "List your imports, newest first",
  method: "GET",
  path: "/imports",
  scope: "admin",
  responses: { 200: listOf(Import) },
  handle: async ({ services, caller }) => ({
    status: 200,
    data: await services.bindings.imports({ ownerId: caller.accountId }),
  }),
});

const showImport = posternEndpoint({
  name: "showImport",
  summary: "Show how far an import is",
  method: "GET",
  path: "/imports/{id}",
  scope: "admin",
  responses: { 200: dataOf(Import) },
  refusals: [404],
  handle: async ({ services, caller, path: { id = "" } }) => ({
    status: 200,
    data: await services.bindings.importJob({ ownerId: caller.accountId, id }),
  }),
});

const listImportRows = posternEndpoint({
  name: "listImportRows",
  summary: "List the rows of an import, in their order",
  method: "GET",
  path: "/imports/{id}/rows",
  scope: "admin",
  query: { after: { schema: z.int().nonnegative(), description: "The cursor of a former page" } },
  responses: { 200: listOf(Row) },
  refusals: [404],
  async handle({ services, caller, path: { id = "" }, query }) {
    const page = { ownerId: caller.accountId, id, first: pageSize, after: positionIn(query.get("after")) };
    const data = await services.bindings.importRows(page);
    const last = data.at(-1);
    return { status: 200, data, next: data.length === pageSize && last ? String(last.position) : null };
  },
});

/** @throws Refusal ValidationFailed */
function positionIn(after: string | null): number | undefined {
  if (after === null) return undefined;
  if (!/^\d{1,6}$/.test(after))
    throw new Refusal("ValidationFailed", { public: "after: expected a cursor of a former page." });
  return Number(after);
}

const downloadAddresses = posternEndpoint({
  name: "downloadImportedAddresses",
  summary: "Download the table of old and new addresses",
  description: "As CSV (RFC 4180), with a header line: kind, old, new, state, detail.",
  method: "GET",
  path: "/imports/{id}/addresses",
  scope: "admin",
  responses: { 200: "text/csv" },
  refusals: [404],
  async handle({ services, caller, path: { id = "" }, response, requireInForce }) {
    const ownerId = caller.accountId;
    await services.bindings.importJob({ ownerId, id });
    response.writeHead(200, {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": 'attachment; filename="addresses.csv"',
    });
    await pipeline(linesOf(services, { ownerId, id }, requireInForce), response);
    return undefined;
  },
});

async function* linesOf(
  { bindings }: Services,
  job: { ownerId: string; id: string },
  requireInForce: RequireInForce,
): AsyncGenerator<string> {
  yield csvLine(["kind", "old", "new", "state", "detail"]);
  const pages = pagesWhileInForce(requireInForce)(
    (after?: number) => bindings.importRows({ ...job, first: pageSize, after }),
    (rows) => (rows.length === pageSize ? rows.at(-1)?.position : undefined),
  );
  for await (const rows of pages) {
    const shown = rows.filter(({ kind }) => kind === "address" || kind === "contact");
    yield shown.map((row) => csvLine([row.kind, row.old, row.new ?? "", row.state, row.detail])).join("");
  }
}

/** What spreadsheets take for a formula at the beginning of a cell. */
const formula = /^[=+\-@\t\r]/;

/** A line of CSV (RFC 4180): every field in quotation marks, and none of it a formula. */
function csvLine(fields: readonly string[]): string {
  const cells = fields.map((field) => `"${(formula.test(field) ? `'${field}` : field).replaceAll('"', '""')}"`);
  return `${cells.join(",")}\r\n`;
}

const removeImport = posternEndpoint({
  name: "removeImport",
  summary: "Forget an import; what it made stays",
  method: "DELETE",
  path: "/imports/{id}",
  scope: "admin",
  responses: { 204: undefined },
  refusals: [404],
  async handle({ services, caller, path: { id = "" } }) {
    await services.bindings.removeImport({ ownerId: caller.accountId, id });
    return { status: 204 };
  },
});

export const importEndpoints = [
  ...[importDryRun, listImports, showImport, startImport, listImportRows, downloadAddresses, removeImport],
] as const;
