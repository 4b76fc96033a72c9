import fc, { type Arbitrary } from "fast-check";

/** A JSON schema, as far as /openapi.json uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  example?: unknown;
}

/** What a string may hold that is of the right type and not foreseen: whole characters of any script, controls, half ones. */
const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    " ",
    "\0",
    "\ud800",
    "%_\\",
    "a@b.example",
    "jane@example.com",
    "http://[::1]/",
    "https://example.com/x",
  ),
);

/** Values that fit a schema; references are looked up in the document. */
export function validValue(schema: Schema, document: object): Arbitrary<unknown> {
  const { $ref, anyOf, oneOf = anyOf, allOf, type } = schema;
  if ($ref) return validValue(referred($ref, document), document);
  if (oneOf) return fc.oneof(...oneOf.map((each) => validValue(each, document)));
  if (allOf?.length === 1 && allOf[0]) return validValue(allOf[0], document);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [type ?? []].flat();
  if (types.length === 0) return fc.jsonValue();
  return fc.oneof(...types.map((each) => ofType(each, schema, document)));
}

/** The example that the document gives of it. */
export function exampleOf({ $ref, example }: Schema, document: object): Arbitrary<unknown> {
  return $ref ? exampleOf(referred($ref, document), document) : fc.constant(example);
}

function ofType(type: string, schema: Schema, document: object): Arbitrary<unknown> {
  const { minimum: min, maximum: max, items = {}, pattern = "", minLength = 0, maxLength = Infinity } = schema;
  if (type === "null") return fc.constant(null);
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return fc.integer({ min: min ?? -1_000, max: max ?? 1_000 });
  if (type === "number") return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (type === "array")
    return fc.array(validValue(items, document), {
      minLength: schema.minItems ?? 0,
      maxLength: schema.maxItems ?? 12,
    });
  if (type === "object") return objects(schema, document);
  if (type !== "string") throw new Error(`${type} is a type that the tests do not know`);
  const form = new RegExp(pattern);
  // A form that nearly every text has is met by those; a narrow one is to be made.
  if (!form.test("any text")) return fc.stringMatching(form);
  return anyText.filter((text) => form.test(text) && text.length >= minLength && text.length <= maxLength);
}

function objects(
  { properties = {}, required = [], additionalProperties, minProperties = 0, maxProperties = 12 }: Schema,
  document: object,
): Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, each]) => [name, validValue(each, document)]);
  const known = fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>, {
    requiredKeys: required,
  });
  if (typeof additionalProperties !== "object") return known;
  const more = fc.dictionary(anyText, validValue(additionalProperties, document), {
    minKeys: minProperties,
    maxKeys: maxProperties,
  });
  return fc.tuple(more, known).map(([others, ours]) => ({ ...others, ...ours }));
}

/** The same value with one thing changed, somewhere in it: taken away, replaced by any other, or one put beside it. */
export function invalidVariant(value: unknown): Arbitrary<unknown> {
  const others = fc.oneof(fc.jsonValue(), anyText, fc.constantFrom(-0, Number.MAX_VALUE, 2 ** 53, "x".repeat(20_000)));
  return fc
    .tuple(fc.nat(), fc.constantFrom("remove", "replace", "add"), anyText, others)
    .map(([at, how, name, other]) => {
      const copy: Container = structuredClone({ value });
      const places = placesIn(copy);
      const [parent, key] = places[at % places.length] ?? [copy, "value"];
      if (how === "remove") delete parent[key];
      else if (how === "replace") parent[key] = other;
      else if (Array.isArray(parent)) parent.push(other);
      else parent[name] = other;
      return copy.value;
    });
}

type Container = Record<string, unknown>;

/** Every place in a value where another could stand. */
function placesIn(container: Container): [Container, string][] {
  return Object.entries(container).flatMap(([key, inner]): [Container, string][] => [
    [container, key],
    ...(typeof inner === "object" && inner !== null ? placesIn(inner as Container) : []),
  ]);
}

function referred(reference: string, document: object): Schema {
  const path = reference.replace(/^#\//, "").split("/");
  return path.reduce((found, name) => (found as Record<string, object>)[name] ?? {}, document);
}
