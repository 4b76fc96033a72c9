import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { z } from "zod";
import { outputCopy } from "./output-copy.ts";

const Point = z.object({ x: z.number(), y: z.number().int().default(0) });

const cases: [what: string, schema: z.ZodType, ...values: unknown[]][] = [
  ["texts", z.string(), "", "a text"],
  ["ids", z.uuid(), "0190b0b0-0000-7000-8000-000000000000"],
  ["times", z.iso.datetime(), "2026-01-02T03:04:05.678Z"],
  ["texts that are trimmed", z.string().trim(), " a "],
  ["texts that are changed", z.string().transform((text) => text.length), "abc"],
  ["numbers", z.number().int().min(0).max(3), 2, 0],
  ["numbers made of texts", z.coerce.number(), "12"],
  ["truth", z.boolean(), true, false],
  ["literals", z.literal(["a", 2, null]), "a", 2, null],
  ["enums", z.enum(["a", "b"]), "b"],
  ["what may be null", z.string().nullable(), null, "a"],
  ["what may be left out", z.object({ a: z.string().optional(), b: z.number() }), { b: 1 }, { a: "a", b: 1 }],
  [
    "what may be left out, and has a default or may be null",
    z.object({
      a: z.string().default("a").optional(),
      b: z.string().optional().nullable(),
      c: z.string().nullish(),
      d: z.string().optional().default("d"),
      e: z.string().catch("e").optional(),
    }),
    {},
    { a: "1", b: null, c: null, d: "2", e: 3 },
  ],
  ["defaults", z.object({ list: z.array(z.string()).default([]), b: z.boolean().default(true) }), {}, { b: false }],
  ["lists", z.array(Point.nullable()), [], [{ x: 1, y: 2 }, null, { x: 1 }]],
  ["objects in objects", z.object({ at: Point, "a-name": z.object({}) }), { at: { x: 1 }, "a-name": {} }],
  ["maps", z.record(z.string(), Point), { first: { x: 1 } }],
  ["anything", z.object({ any: z.unknown() }), { any: { a: [1] } }],
  ["others' members", z.looseObject({ a: z.string() }), { a: "a", b: "b" }],
  ["what is refined", z.object({ a: z.string() }).refine(({ a }) => a !== ""), { a: "a" }],
  [
    "one of several",
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("point"), at: Point }),
      z.object({ kind: z.enum(["none", "all"]) }),
    ]),
    { kind: "point", at: { x: 1 } },
    { kind: "all", at: 1 },
  ],
  ["either", z.union([z.string(), Point]), "a", { x: 1 }],
];

test.each(cases)("%s are copied as the schema would", (_, schema, ...values) => {
  for (const value of values) expect(outputCopy(schema)(value)).toStrictEqual(schema.parse(value));
});

test("members that the contract does not name are left out, at every depth", () => {
  const copy = outputCopy(z.object({ points: z.array(Point), one: Point.optional() }));
  expect(copy({ points: [{ x: 1, y: 2, secret: "s" }], one: { x: 3, y: 4, secret: "s" }, secret: "s" })).toStrictEqual({
    points: [{ x: 1, y: 2 }],
    one: { x: 3, y: 4 },
  });
});

test("the copy shares nothing with what was copied, nor with another copy", () => {
  const copy = outputCopy(z.object({ points: z.array(Point), none: z.array(z.string()).default([]) }));
  const value = { points: [{ x: 1, y: 2 }] };
  const [first, second] = [copy(value), copy(value)];
  first.points[0] = { x: 9, y: 9 };
  first.none.push("a");
  expect(second).toEqual({ points: [{ x: 1, y: 2 }], none: [] });
  expect(value).toEqual({ points: [{ x: 1, y: 2 }] });
});

test.each([
  ["undefined", undefined],
  ["null", null],
  ["a list for an object", []],
  ["no list", { points: {}, kind: "a" }],
  ["a text for a number", { points: [{ x: "1" }], kind: "a" }],
  ["no number", { points: [{ x: Number.NaN }], kind: "a" }],
  ["a member that is missing", { points: [] }],
  ["another literal", { points: [], kind: "b" }],
])("%s is refused with what the schema says of it", (_, value) => {
  const schema = z.object({ points: z.array(Point), kind: z.literal("a") });
  const { error } = schema.safeParse(value);
  expect(error).toBeDefined();
  expect(() => outputCopy(schema)(value)).toThrow(error as z.ZodError);
});

test("the schema does it where node may make no code of texts", async () => {
  const script = `
    import { z } from "zod";
    import { outputCopy } from ${JSON.stringify(fileURLToPath(new URL("output-copy.ts", import.meta.url)))};
    process.stdout.write(JSON.stringify(outputCopy(z.object({ a: z.string() }))({ a: "a", b: "b" })));`;
  const options = ["--disallow-code-generation-from-strings", "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  expect(stdout).toBe('{"a":"a"}');
});
