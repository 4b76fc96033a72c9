import { globSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";

// What the linter does not look into: the SQL of the services.

const sources = globSync("services/**/*.ts", { exclude: ["**/*.test.ts"] }).map((path) => ({
  path,
  text: readFileSync(path, "utf8"),
}));

/** The files in which an expression is found, but for those under the folder that may. */
const found = (form: RegExp, allowed: string) =>
  sources.filter(({ path, text }) => !path.startsWith(allowed) && form.test(text)).map(({ path }) => path);

test("there are sources to look into", () => {
  expect(sources.length).toBeGreaterThan(300);
});

test("contracts check every id: as a UUID, or as one that a client gave", () => {
  const unchecked = sources
    .filter(({ path }) => path.endsWith("/contract.ts"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\b(ids?|[a-z]\w*Ids?): (?:z\.array\()?z\.string\(/g)].map(([, name]) => `${path}: ${name}`),
    );
  const others = [
    // An API key is held to targets by their ids, or by addresses.
    "services/auth/api-keys/contract.ts: targetIds",
    "services/auth/sessions/contract.ts: targetIds",
    "services/bindings/key-restrictions/contract.ts: targetIds",
    // What tells API tokens apart is a digest.
    "services/auth/sessions/contract.ts: tokenId",
    // The Content-ID of a MIME part (RFC 2392).
    "services/mailbox/contract.ts: contentId",
    // Whoever makes a rule may choose its id: what is no UUID is refused by the field's name.
    "services/bindings/rules/contract.ts: id",
    // So are the bindings that an account's webhook is for.
    "services/webhook/account-webhook/contract.ts: bindingIds",
  ];
  expect(unchecked.filter((name) => !others.includes(name))).toEqual([]);
});

test("sets of rows are handed over by recordSet alone", () => {
  expect(
    found(
      /json_to_recordset|jsonb_to_recordset|populate_record|unnest\(\$\d+::\w+\[\], /,
      "services/platform/db/record-set.ts",
    ),
  ).toEqual([]);
});

test("rows are typed by their properties: no type has a column's name", () => {
  expect(found(/[qQ]uery<\{[^}]*\b[a-z]+_[a-z_]+\??:/, "services/platform/db/row-query")).toEqual([]);
});

test("columns need no camelCase aliases: the driver gives them so", () => {
  expect(found(/ as "[a-z]+[A-Z]\w*"/, "services/platform/db/")).toEqual([]);
});
