/** A piece of code at a place: `*` stands for a name of its own. */
export interface Snippet {
  readonly at: string;
  readonly code: string;
}

const contractsOnly = "only its contract.ts may be imported";
const platformApart = "platform knows no service";
const contractAlone = "A contract imports only zod";
const messagePure = "it imports nothing but itself";
const noTransport = "Domain files know no transport";
const noDriver = "Database drivers stay in";
const noKafka = "kafkajs stays in";
const noStorage = "neither SQL nor Kafka";
const noRestPaths = "Only services/rest knows the members of its documents";
const jobsClaim = "Only services/platform/jobs claims rows";
const inCatalogue = "noJsxLiterals";
const environment = "The environment is read in services/platform/config.ts alone";

/** What the rules must refuse, and words of the refusal. */
export const breaches: readonly (Snippet & { readonly refused: string })[] = [
  // Texts of the interface stand in the catalogue, in every language.
  { at: "web/src/addresses/*.tsx", code: "export const A = () => <p>Your addresses</p>;", refused: inCatalogue },
  // A service never imports another, in whatever form.
  { at: "services/mailbox/*.ts", code: `export { a } from "../auth/accounts.ts";`, refused: contractsOnly },
  { at: "services/mailbox/*.ts", code: `export * from "../auth/accounts.ts";`, refused: contractsOnly },
  { at: "services/mailbox/*.ts", code: `import "../auth/module.ts";`, refused: contractsOnly },
  { at: "services/mailbox/*.ts", code: `export type A = import("../auth/accounts.ts").A;`, refused: contractsOnly },
  {
    at: "services/mailbox/*.ts",
    code: `export const a = await import("../auth/accounts.ts");`,
    refused: contractsOnly,
  },
  {
    at: "services/mailbox/*.ts",
    code: "export const a = await import(`../auth/accounts.ts`);",
    refused: contractsOnly,
  },
  {
    at: "services/mailbox/*.ts",
    code: `import type { A } from "../auth/a.ts";\nexport type B = A;`,
    refused: contractsOnly,
  },
  { at: "services/mailbox/*.ts", code: `export { a } from "../../services/auth/a.ts";`, refused: contractsOnly },
  { at: "services/mailbox/*.ts", code: `export { a } from "../mailbox/../auth/a.ts";`, refused: contractsOnly },
  { at: "services/mailbox/parts/*.ts", code: `export { a } from "../../auth/deep/a.ts";`, refused: contractsOnly },
  { at: "services/mailbox/*.ts", code: `export { a } from "../targets.ts";`, refused: contractsOnly },
  { at: "services/*.ts", code: `export { a } from "./auth/accounts.ts";`, refused: contractsOnly },
  { at: "gateway/*.ts", code: `export { a } from "../services/auth/accounts.ts";`, refused: contractsOnly },
  { at: "services/mailbox/*.ts", code: `export { a } from "../../gateway/supergraph.ts";`, refused: contractsOnly },
  // platform imports no service.
  { at: "services/platform/*.ts", code: `export { a } from "../auth/contract.ts";`, refused: platformApart },
  { at: "services/platform/rpc/*.ts", code: `export { a } from "../../auth/accounts.ts";`, refused: platformApart },
  { at: "services/platform/*.ts", code: `export { a } from "../targets.ts";`, refused: platformApart },
  { at: "services/platform/*.ts", code: `export { a } from "../../gateway/module.ts";`, refused: platformApart },
  // A contract imports only zod.
  { at: "services/*/contract.ts", code: `export { a } from "../platform/rpc/contract.ts";`, refused: contractAlone },
  { at: "services/*/contract.ts", code: `export { a } from "./accounts.ts";`, refused: contractAlone },
  { at: "services/*/contract.ts", code: `export { readFile } from "node:fs/promises";`, refused: contractAlone },
  { at: "services/*/contract.ts", code: `export { a } from "../auth/contract.ts";`, refused: contractAlone },
  // message is pure.
  { at: "services/message/*.ts", code: `export { a } from "../platform/errors.ts";`, refused: messagePure },
  { at: "services/message/mime/*.ts", code: `export { a } from "../../platform/errors.ts";`, refused: messagePure },
  { at: "services/message/mime/*.ts", code: `export { a } from "../../auth/contract.ts";`, refused: messagePure },
  {
    at: "services/message/mime/*.ts",
    code: `export { a } from "../header/../../platform/a.ts";`,
    refused: messagePure,
  },
  { at: "services/message/*.ts", code: `export { readFile } from "node:fs/promises";`, refused: messagePure },
  { at: "services/message/*.ts", code: `export { Readable } from "node:stream";`, refused: messagePure },
  { at: "services/message/*.ts", code: `export const a = await import("mailparser");`, refused: messagePure },
  {
    at: "services/message/*.ts",
    code: "export const a = await fetch('https://example.org/');",
    refused: "it asks nobody",
  },
  { at: "services/message/*.ts", code: "export const a = process.env.A;", refused: environment },
  // Domain files know no transport.
  { at: "services/mailbox/*.ts", code: `export { Router } from "express";`, refused: noTransport },
  { at: "services/mailbox/*.ts", code: `export { GraphQLError } from "graphql";`, refused: noTransport },
  { at: "services/mailbox/*/procedures.ts", code: `export { Router } from "express";`, refused: noTransport },
  { at: "services/mailbox/*.ts", code: `export { a } from "@apollo/subgraph";`, refused: noTransport },
  { at: "services/mailbox/*.ts", code: `export { Kafka } from "kafkajs";`, refused: noTransport },
  // Drivers have one place each.
  { at: "services/mailbox/*.ts", code: `export { Pool } from "pg";`, refused: noDriver },
  { at: "services/mailbox/*/module.ts", code: `export { a } from "pg/lib/client.js";`, refused: noDriver },
  { at: "services/platform/events/*.ts", code: `export { Pool } from "pg";`, refused: noDriver },
  { at: "gateway/*.ts", code: `export type A = import("pg").Pool;`, refused: noDriver },
  { at: "services/*/module.ts", code: `export { Kafka } from "kafkajs";`, refused: noKafka },
  { at: "services/*/procedures.ts", code: `export const { Kafka } = await import("kafkajs");`, refused: noKafka },
  { at: "services/platform/db/*.ts", code: `export { Kafka } from "kafkajs";`, refused: noKafka },
  // gateway and rest touch neither SQL nor Kafka.
  { at: "gateway/*.ts", code: `export { a } from "../services/platform/db/database.ts";`, refused: noStorage },
  { at: "gateway/*.ts", code: `export { a } from "../services/platform/events/bus.ts";`, refused: noStorage },
  { at: "services/rest/*.ts", code: `export { a } from "../platform/db/database.ts";`, refused: noStorage },
  {
    at: "services/rest/proxy-bindings/*.ts",
    code: `export { a } from "../../platform/events/outbox.ts";`,
    refused: noStorage,
  },
  // The paths of REST's documents are REST's own.
  { at: "services/bindings/*.ts", code: `export const a = "data.attributes.description";`, refused: noRestPaths },
  {
    at: "services/auth/accounts/*.ts",
    code: `export const a = (b: string) => \`data.attributes.\${b}: is wrong.\`;`,
    refused: noRestPaths,
  },
  { at: "gateway/*.ts", code: `export const a = "data.attributes.name";`, refused: noRestPaths },
  // Jobs are the only claimers.
  { at: "services/mailbox/*.ts", code: "export const a = `select 1 for update skip locked`;", refused: jobsClaim },
  {
    at: "services/platform/events/*.ts",
    code: `export const a = "for no key update SKIP LOCKED";`,
    refused: jobsClaim,
  },
  {
    at: "services/mailbox/*.ts",
    code: "export const a = `select b from c for update\n  skip locked limit 1`;",
    refused: jobsClaim,
  },
  // The environment is read in one file.
  { at: "services/mailbox/*.ts", code: "export const a = process.env.A;", refused: environment },
  { at: "services/mailbox/*.ts", code: `export const a = process["env"];`, refused: environment },
  { at: "services/mailbox/*.ts", code: "export const { env } = process;", refused: environment },
  { at: "services/mailbox/*.ts", code: "export const a = globalThis.process.argv;", refused: environment },
  { at: "services/mailbox/*.ts", code: `export { env } from "node:process";`, refused: environment },
  { at: "services/platform/*.ts", code: "export const a = process.env.A;", refused: environment },
  { at: "gateway/*.ts", code: "export const a = process.env.A;", refused: environment },
  // What no file may hold.
  { at: "services/mailbox/*.ts", code: "export const a: any = 1;", refused: "noExplicitAny" },
  { at: "services/mailbox/*.ts", code: `// @ts-${"ignore"}\nexport const a = 1;`, refused: "noTsIgnore" },
  { at: "services/mailbox/*.ts", code: `console.log("a");`, refused: "noConsole" },
  { at: "services/mailbox/*.ts", code: "export enum A {\n  B = 1,\n}", refused: "noEnum" },
  { at: "scripts/*.mjs", code: "try {\n  process.chdir('/');\n} catch {}", refused: "Nothing is swallowed" },
  {
    at: "scripts/*.mjs",
    code: "try {\n  process.chdir('/');\n} catch (error) {\n  // a word\n}",
    refused: "Nothing is swallowed",
  },
  {
    at: "services/mailbox/*.ts",
    code: "async function a() {\n  await fetch('/');\n}\na();",
    refused: "noFloatingPromises",
  },
  {
    at: "test/*.test.ts",
    code: `import { test } from "@jest/globals";\ntest.skip("a", () => 1);`,
    refused: "noSkippedTests",
  },
  {
    at: "test/*.test.ts",
    code: `import { test } from "@jest/globals";\ntest.only("a", () => 1);`,
    refused: "noFocusedTests",
  },
];

/** What lies just within the rules. */
export const lawful: readonly Snippet[] = [
  { at: "services/mailbox/*.ts", code: `export { a } from "../auth/contract.ts";` },
  { at: "services/mailbox/*.ts", code: `export { a } from "../platform/db/database.ts";` },
  { at: "services/mailbox/*.ts", code: `export { a } from "../platform/events/outbox.ts";` },
  { at: "services/mailbox/*.ts", code: `export { a } from "../../proto/gen/postern/auth/v1/account_opened_pb.js";` },
  { at: "services/mailbox/parts/*.ts", code: `export { a } from "../parsing.ts";` },
  { at: "services/mailbox/*.ts", code: "export const a = (queue: { process(): void }) => queue.process();" },
  { at: "services/mailbox/*.ts", code: `export const isAlive = process.exitCode === undefined;` },
  { at: "services/message/mime/*.ts", code: `export { a } from "../header/fields.ts";` },
  { at: "services/message/mime/*.ts", code: `export { a } from "../cursor.ts";` },
  { at: "services/message/mime/*.ts", code: `export { a } from "./parameters.ts";` },
  { at: "services/message/*.ts", code: `export { createHmac } from "node:crypto";` },
  { at: "services/mailbox/parts/*.ts", code: `export { a } from "../../message/header/fields.ts";` },
  { at: "services/*/contract.ts", code: `import { z } from "zod";\nexport const A = z.object({});` },
  { at: "services/mailbox/*/contract.ts", code: `export { a } from "../rules/contract.ts";` },
  { at: "services/*/contract.ts", code: `export { GivenId } from "../platform/rpc/given-id.ts";` },
  { at: "services/*/contract.ts", code: `export { Moment } from "../platform/rpc/moment.ts";` },
  { at: "services/*/contract.ts", code: `import type { z } from "zod";\nexport type A = z.ZodType;` },
  { at: "services/*/graph/resolvers.ts", code: `export { GraphQLError } from "graphql";` },
  { at: "services/platform/jobs/*.ts", code: "export const a = `select 1 for update skip locked`;" },
  { at: "services/rest/http-*.ts", code: `export { Router } from "express";` },
  { at: "services/rest/*.ts", code: `export { a } from "../platform/errors.ts";` },
  { at: "services/rest/http/*.ts", code: `export const a = (b: string) => \`data.attributes.\${b}: is wrong.\`;` },
  { at: "services/platform/db/*.ts", code: `export { Pool } from "pg";` },
  { at: "services/platform/events/*.ts", code: `export { Kafka } from "kafkajs";` },
  { at: "services/platform/config.ts", code: "export const environment = process.env;" },
  { at: "services/targets.ts", code: `export { a } from "./auth/module.ts";` },
  { at: "services/targets.ts", code: `export { a } from "../gateway/module.ts";` },
  { at: "services/main.ts", code: `export { a } from "./targets.ts";` },
  { at: "gateway/*.ts", code: `export { a } from "../services/auth/contract.ts";` },
  { at: "test/support/*.ts", code: `export { Pool } from "pg";\nexport const home = process.env.HOME;` },
  {
    at: "services/mailbox/*.ts",
    code: "export function a() {\n  try {\n    return 1;\n  } catch (error) {\n    throw new Error('b', { cause: error });\n  }\n}",
  },
];
