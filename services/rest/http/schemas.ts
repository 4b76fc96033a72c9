import { z } from "zod";

/** What PostgreSQL and every reader of JSON can hold: no NUL, no unpaired surrogate (which JSON Schema has no words for). */
export const wellFormedText = (expected: string) =>
  z
    .string({ error: `expected ${expected}` })
    .refine((text) => text.isWellFormed() && !text.includes("\0"), {
      error: "must not hold NUL characters or unpaired surrogates",
    })
    .meta({ pattern: "^[^\\u0000]*$" });

/** A member that may be left out: null says the same. */
export const absentIfNull = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value) => value ?? undefined);

/** A flag as real clients send it. */
export const looseBoolean = z
  .union([z.boolean(), z.literal("true"), z.literal("false"), z.literal(1), z.literal(0)], {
    error: 'expected true, false, "true", "false", 1 or 0',
  })
  .transform((value) => value === true || value === "true" || value === 1)
  .meta({ description: "A boolean, also as a string or a number", example: true });

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  .meta({ id: "Timestamp", description: "UTC", example: "2024-01-20 02:00:46" });

/** An identifier in responses, and in the examples of requests. */
export const Id = z.string().meta({ example: "018d2475-0f3c-7c11-8a52-6b1d3f5e9a00" });

export const Count = z
  .int()
  .nonnegative()
  .max(2 ** 31 - 1);

export const UserRelationship = z.object({
  user: z.object({ data: z.object({ type: z.literal("users"), id: Id }) }),
});

/** An object with members that are needed, named in the message when it is no object at all. */
export const objectOf = <S extends z.ZodRawShape>(shape: S) => z.object(shape, { error: "expected an object" });

/** `{"data": {"type": …, "attributes": …}}`, the envelope of requests. */
export const requestOf = <T extends string, S extends z.ZodRawShape>(type: T, attributes: S) =>
  objectOf({
    data: objectOf({
      id: wellFormedText("a string").optional().meta({ description: "Needed nowhere; where it is given, the path's" }),
      type: z.literal(type, { error: `expected ${JSON.stringify(type)}` }),
      attributes: objectOf(attributes),
    }),
  });

export const ErrorDocument = z
  .object({
    data: z.object({
      id: z.string().meta({ description: "Unique, and found again in the logs and the trace" }),
      type: z.literal("errors"),
      attributes: z.object({
        message: z.string().meta({ description: "For a person" }),
        exception: z.string().meta({ description: "The stable kind of the error, for a program" }),
        file: z.string().meta({ description: "The service that raised it" }),
        line: z.literal(0),
      }),
    }),
  })
  .meta({ id: "Error" });

/** A service's time (ISO 8601, UTC, always of the form that toISOString gives) as the contract writes it: `YYYY-MM-DD HH:MM:SS`. */
export function timestamp(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}
