import { expect, test } from "@jest/globals";
import { asServiceError, InternalError, Outage, Refusal, ServiceError } from "./errors.ts";
import { decodeError, encodeError } from "./rpc/wire-errors.ts";

const refusal = new Refusal("NotFound", { public: "There is no such binding." });
const outage = new Outage("database", { retryAfterS: 3 });
const bug = new InternalError({ operator: "x is undefined" });

test("an outage and a bug are no refusals: who catches refusals catches neither", () => {
  expect([refusal, outage, bug].map((error) => error instanceof Refusal)).toEqual([true, false, false]);
  expect([refusal, outage, bug].map((error) => error instanceof ServiceError)).toEqual([true, true, true]);
  expect([refusal.status, outage.status, bug.status]).toEqual([404, 503, 500]);
});

test.each([
  ["refusal", refusal, Refusal],
  ["outage", outage, Outage],
  ["bug", bug, InternalError],
])("a %s is the same on both sides of the wire", (_name, error, type) => {
  const arrived = decodeError(JSON.parse(JSON.stringify(encodeError(error, "bindings"))));
  expect(arrived).toBeInstanceOf(type);
  const { kind, id, status, publicMessage, operatorMessage, retryAfterS } = error;
  expect(arrived).toMatchObject({ kind, id, status, publicMessage, operatorMessage, retryAfterS, service: "bindings" });
});

test("a kind that only a later release knows is a bug to this one", () => {
  const wire = { ...encodeError(refusal, "bindings"), kind: "Teapot" };
  expect(decodeError(wire)).toBeInstanceOf(InternalError);
});

test("whatever else was thrown is a bug, and its message is for the log alone", () => {
  const error = asServiceError(new TypeError("ann@example.com is no object"));
  expect(error).toBeInstanceOf(InternalError);
  expect(error.publicMessage).not.toContain("ann");
  expect(error.operatorMessage).toContain("ann");
});
