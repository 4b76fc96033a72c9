import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { runServer } from "../../support/run/run-server.ts";
import { askAt, type Question } from "./ask.ts";
import { expectDeclared } from "./declared.ts";
import { errorDocument } from "./documents.ts";

/** An installation that has worked, and what its endpoints could be asked about. */
export interface BrokenInstallation {
  url: string;
  account: { username: string; password: string };
  token: string;
  bearer: string;
  bindingId: string;
  emailId: string;
  attachmentPath: string;
  recorder: string;
}

export interface Outages {
  /** A fleet of which only auth, rest and the gateway run. */
  servicesGone: BrokenInstallation;
  /** What the same fleet's graph had answered to `everyServiceQuery` while bindings still ran beside them. */
  answerWithoutMail: unknown;
  /** One process whose PostgreSQL is stopped. */
  databaseGone: BrokenInstallation;
}

const startLimitMs = 240_000;

let outages: Promise<Outages> | undefined;

/** Started by whoever asks first, and shared by all workers of this jest run. */
export function brokenInstallations(): Promise<Outages> {
  outages ??= runServer("outages", join(import.meta.dirname, "outages-process.ts"), startLimitMs).then(
    (told) => JSON.parse(told) as Outages,
  );
  return outages;
}

type Asking = (broken: BrokenInstallation) => Question;

async function expectUnavailable(broken: BrokenInstallation, asking: Asking, file: string): Promise<void> {
  const question = asking(broken);
  const answer = await askAt(broken.url, question);
  await expectDeclared(broken.url, question, answer);
  expect(answer.status).toBe(503);
  expect(answer.body).toEqual(errorDocument("Unavailable", file, expect.stringMatching(/try again/)));
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
}

/** Declares that what worked a moment ago is 503 while the services behind are gone; `file` is who noticed. */
export function unavailableWithoutServices(asking: Asking, file = "rest"): void {
  test(
    "with the services behind it stopped",
    async () => expectUnavailable((await brokenInstallations()).servicesGone, asking, file),
    startLimitMs,
  );
}

/** Declares that what worked a moment ago is 503 while there is no database; `file` is who noticed. */
export function unavailableWithoutDatabase(asking: Asking, file: string): void {
  test(
    "with the database stopped",
    async () => expectUnavailable((await brokenInstallations()).databaseGone, asking, file),
    startLimitMs,
  );
}

/** Both, for an endpoint that takes the Token header or a bearer token: whoever holds one is never told that it is none. */
export function unavailable(asking: (broken: BrokenInstallation) => Omit<Question, "headers">): void {
  const withToken: Asking = (broken) => ({ ...asking(broken), headers: { Token: broken.token } });
  const withBearer: Asking = (broken) => ({ ...asking(broken), headers: { authorization: `Bearer ${broken.bearer}` } });
  unavailableWithoutServices(withToken);
  unavailableWithoutDatabase(withToken, "auth");
  test("with a bearer token, and the database stopped", async () => {
    await expectUnavailable((await brokenInstallations()).databaseGone, withBearer, "auth");
  });
}
