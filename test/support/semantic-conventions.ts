import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const declaration = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*declare const ATTR_\w+: "([^"]+)";/g;

/** Names of attributes in OpenTelemetry's registry, those that were replaced by others left out. */
export function registeredAttributes(): ReadonlySet<string> {
  const folder = dirname(createRequire(import.meta.url).resolve("@opentelemetry/semantic-conventions"));
  const texts = ["stable", "experimental"].map((kind) =>
    readFileSync(join(folder, `${kind}_attributes.d.cts`), "utf8"),
  );
  return new Set(
    [...texts.join("\n").matchAll(declaration)].flatMap(([, text = "", name = ""]) =>
      text.includes("@deprecated") ? [] : [name],
    ),
  );
}
