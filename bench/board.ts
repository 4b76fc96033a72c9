/**
 * What the pages that list an account's addresses and mail cost the server, where the account has much of both.
 * npm run bench:board -- [--bindings=10000] [--emails=1000000] [--reads=9]; see bench/README.md.
 */
import { parseArgs } from "node:util";
import { call } from "../test/support/http/rest-client.ts";
import { startInstallation } from "../test/support/installation/installation.ts";
import {
  AccountMail,
  Domains,
  Mail,
  Me,
  ProxyBindings,
  SuggestedProxyAddress,
} from "../web/src/graph/gen/operations.ts";
import type { Operation } from "../web/src/graph/operation.ts";
import { addBindings, addEmails, addKeptContents, addMailDays } from "./scale/rows.ts";
import { analyze, indexBindings } from "./scale/tables.ts";

interface Question {
  readonly operation: Operation<unknown, never>;
  readonly variables: Readonly<Record<string, unknown>>;
}

const { values } = parseArgs({
  options: {
    bindings: { type: "string", default: "10000" },
    emails: { type: "string", default: "1000000" },
    reads: { type: "string", default: "9" },
  },
});
const reads = Number(values.reads);
/** As many as are there within the time that a statement may take. */
const rowsAtOnce = 20_000;
const failures = { undelivered: ["FAILED", "RETRYING", "HELD"] };

/** What each page asks for, at once, as web/src does. */
const pages: Readonly<Record<string, readonly Question[]>> = {
  "the board": [Me, AccountMail, ProxyBindings, Domains, SuggestedProxyAddress].map((operation) => ({
    operation,
    variables: {},
  })),
  "the account": [{ operation: Me, variables: {} }],
  "its counts": [{ operation: AccountMail, variables: {} }],
  "50 addresses": [{ operation: ProxyBindings, variables: {} }],
  "50 by their last mail": [{ operation: ProxyBindings, variables: { order: "LAST_RECEIVED", sort: "DESC" } }],
  "addresses, searched": [{ operation: ProxyBindings, variables: { search: "owner777" } }],
  "the inbox": [{ operation: Mail, variables: {} }],
  "the inbox, searched": [{ operation: Mail, variables: { search: "order 777" } }],
  "the inbox, a word of all": [{ operation: Mail, variables: { search: "order" } }],
  "the failures": [{ operation: Mail, variables: { filter: failures } }],
};

const installation = await startInstallation({
  mode: "single",
  hasOwnPostgres: true,
  environment: { LOG_LEVEL: "warn", QUOTA_BINDINGS: "1000000" },
});

async function inSteps(count: number, add: (from: number, to: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += rowsAtOnce) await add(from, Math.min(count, from + rowsAtOnce));
}

try {
  const { bearer } = await installation.rest();
  const url = await installation.databaseUrl();
  await inSteps(Number(values.bindings), (from, to) => addBindings(url, from, to));
  await indexBindings(url);
  await inSteps(Number(values.emails), async (from, to) => {
    await addEmails(url, from, to);
    await addKeptContents(url, from, to);
  });
  await addMailDays(url);
  await analyze(url);

  const ask = async ({ operation: { name, text }, variables }: Question) => {
    const body = { operationName: name, query: text, variables };
    const answer = await call(`${installation.url}/graphql`, "POST", body, { authorization: `Bearer ${bearer}` });
    if (answer.status !== 200 || answer.text.includes('"errors"'))
      throw new Error(`${name}: the graph answered ${answer.status}: ${answer.text.slice(0, 500)}`);
    return answer.text.length;
  };
  process.stdout.write("| page | requests | ms, median | ms, slowest | KiB |\n| --- | --- | --- | --- | --- |\n");
  for (const [page, questions] of Object.entries(pages)) {
    const tookMs: number[] = [];
    let characters = 0;
    for (let read = 0; read < reads; read += 1) {
      const startedAt = performance.now();
      const lengths = await Promise.all(questions.map(ask));
      tookMs.push(performance.now() - startedAt);
      characters = lengths.reduce((sum, length) => sum + length, 0);
    }
    const [first = 0] = tookMs;
    tookMs.sort((one, other) => one - other);
    const median = tookMs[Math.floor(reads / 2)] ?? 0;
    const cells = [page, questions.length, median.toFixed(0), Math.max(first, tookMs.at(-1) ?? 0).toFixed(0)];
    process.stdout.write(`| ${[...cells, (characters / 1024).toFixed(0)].join(" | ")} |\n`);
  }
} catch (error) {
  process.stdout.write(installation.output().slice(-3000));
  throw error;
} finally {
  await installation.dispose();
}
