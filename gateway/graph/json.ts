import { Refusal } from "../../services/platform/errors.ts";

/** Parses a body, or a part of it. @throws Refusal MalformedRequest */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refusal("MalformedRequest", { public: "The body is not JSON.", cause });
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
