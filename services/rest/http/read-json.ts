import { Refusal } from "../../platform/errors.ts";
import { memberFault } from "./member-fault.ts";

export { readBody } from "../../platform/http/read-body.ts";

const malformed = (operator: string) =>
  new Refusal("MalformedRequest", { public: "The request body is not JSON.", operator });

/**
 * The JSON value (RFC 8259) that a body is.
 * @throws Refusal MalformedRequest when it is none, ValidationFailed when its member names leave room for doubt.
 */
export function parseJson(body: Buffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    value = JSON.parse(text);
  } catch {
    // What the parser says quotes the body, which may hold a password: it goes to nobody.
    throw malformed("neither UTF-8 nor JSON");
  }
  const fault = memberFault(text);
  if (fault !== undefined) throw new Refusal("ValidationFailed", { public: fault });
  return value;
}
