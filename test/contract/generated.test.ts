import { beforeAll, describe, expect, test } from "@jest/globals";
import fc, { type Arbitrary } from "fast-check";
import { endpoints } from "../../services/rest/endpoints.ts";
import { newAccount, type TestAccount } from "./support/accounts.ts";
import { ask, type Question } from "./support/ask.ts";
import { madeBinding } from "./support/bindings.ts";
import { openApi } from "./support/declared.ts";
import { browsableEmail } from "./support/emails.ts";
import { exampleOf, invalidVariant, type Schema, validValue } from "./support/from-schema.ts";
import { contractInstallation } from "./support/installation.ts";
import { messageWithAttachment } from "./support/messages.ts";
import { madeRecorder } from "./support/recorders.ts";

// Requests made from what /openapi.json says, valid ones and invalid ones. `ask` holds every answer against the same document:
// a status that is not declared there, 500 above all, or a document that does not fit its schema, is an error.

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** Signing in hashes a password each time. */
const runsOf = (path: string) => (/\/(auth|2fa)$/.test(path) ? 40 : 60);
const limitMs = 300_000;

let document: { paths: Record<string, Record<string, Operation>> };
let person: TestAccount;
/** What there is to be asked about, by the name that it has in paths. */
let known: Record<string, string>;

beforeAll(async () => {
  document = (await openApi((await contractInstallation()).url)) as unknown as typeof document;
  person = await newAccount();
  const [kept, recorder] = await Promise.all([browsableEmail(person, messageWithAttachment), madeRecorder(person)]);
  const { emailId } = kept;
  const { id } = await madeBinding(person);
  known = { id, proxyBindingId: kept.binding.id, emailId, receivedEmailId: emailId, hash: recorder, index: "0" };
}, limitMs);

/** Bytes of a header's value that HTTP lets pass (RFC 9110 section 5.5). */
const fieldText = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 80,
});

const credentials = (): Arbitrary<Record<string, string>> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant({ token: person.token }) },
    { weight: 3, arbitrary: fc.constant({ authorization: `Bearer ${person.bearer}` }) },
    fc.constant({}),
    fieldText.map((value) => ({ token: value })),
    fieldText.map((value) => ({ authorization: value })),
  );

const pathPart = (name: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(known[name] ?? "") },
    fc.constantFrom(...Object.values(known)),
    fc.uuid(),
    fc.string({ unit: "binary", minLength: 1 }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.stringMatching(/^[0-9a-f]{32}$/),
    fc.constantFrom("%00", "%ff", "%2e%2e", "'", "0", "x".repeat(3_000)),
  );

const queryText = (schema: Schema) =>
  fc.oneof(
    { weight: 4, arbitrary: validValue(schema, document).map(String) },
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "0", "-1", "1e3", "\0", "9".repeat(40), ...Object.values(known)),
  );

function pathOf(template: string, parameters: NonNullable<Operation["parameters"]>): Arbitrary<string> {
  const holes = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => pathPart(name));
  const query = parameters.filter((each) => each.in === "query");
  const pairs = fc.record(Object.fromEntries(query.map(({ name, schema }) => [name, queryText(schema)])), {
    requiredKeys: [],
  });
  const search = fc
    .option(pairs, { nil: {} })
    .map((given) => new URLSearchParams(given as Record<string, string>).toString());
  return fc.tuple(fc.tuple(...holes), search).map(([parts, asked]) => {
    const path = parts.reduce((made, part) => made.replace(/\{\w+\}/, () => part), template);
    return asked === "" ? path : `${path}?${asked}`;
  });
}

/** As the schema wants it, invalid in one place, or nothing that it could mean. */
function bodyOf(operation: Operation): Arbitrary<unknown> {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const junk = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: "binary" }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom("", "{", "[]", '{"data":{"data":1,"data":2}}', "[".repeat(500)),
  );
  if (!schema) return fc.option(junk, { nil: undefined });
  const right = fc.oneof(validValue(schema, document), exampleOf(schema, document));
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 6, arbitrary: right.chain(invalidVariant) },
    { weight: 2, arbitrary: junk },
  );
}

const contentTypes = fc.constantFrom<Record<string, string>>(
  { "content-type": "application/json" },
  { "content-type": "application/json; charset=latin1" },
  { "content-type": "text/plain" },
  {},
);

const isAny = (path: string) => endpoints.some((each) => each.path === path && each.method === "ANY");

describe.each(endpoints.map(({ method, path }) => [method, path] as const))("%s %s", (method, path) => {
  test(
    "answers as it says it does, whatever it is asked",
    async () => {
      const operation = document.paths[path]?.[isAny(path) ? "post" : method.toLowerCase()] ?? {};
      const methods =
        method === "ANY" ? fc.constantFrom("GET", "POST", "PUT", "DELETE", "REPORT") : fc.constant(method);
      const questions: Arbitrary<Question> = fc
        .tuple(methods, pathOf(path, operation.parameters ?? []), credentials(), contentTypes, bodyOf(operation))
        .map(([chosen, target, who, type, body]) => ({
          method: chosen,
          path: target,
          headers: { ...who, ...type },
          ...(body === undefined ? {} : { body }),
        }));
      const statuses = new Set<number>();
      await fc.assert(
        fc.asyncProperty(questions, async (question) => {
          statuses.add((await ask(question)).status);
        }),
        { numRuns: runsOf(path), endOnFailure: true },
      );
      // Not all of it was turned away at the door.
      expect([...statuses].some((status) => status !== 401 && status !== 403)).toBe(true);
    },
    limitMs,
  );
});
