import { afterEach, describe, expect, test } from "@jest/globals";
import { silentLogger, type TestDatabase, testDatabase } from "../../../test/support/database.ts";
import { type ServiceUnderTest, startService } from "../../../test/support/service.ts";
import { CallerStatements } from "../../platform/graph/caller-statement.ts";
import { SubgraphServer } from "../../platform/graph/subgraph-server.ts";
import { newId } from "../../platform/ids.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";

const password = "correct horse";

/** The service with its part of the graph, which alone lets people sign up. */
class AuthUnderTest {
  readonly #statements: CallerStatements;
  readonly #subgraph: SubgraphServer;
  readonly service: ServiceUnderTest<typeof authContract>;
  readonly db: TestDatabase;

  private constructor(service: ServiceUnderTest<typeof authContract>, db: TestDatabase, secrets: Secrets) {
    const { subgraph } = service.parts;
    if (!subgraph) throw new Error("auth has no subgraph");
    this.service = service;
    this.db = db;
    this.#statements = new CallerStatements(secrets);
    this.#subgraph = new SubgraphServer("auth", subgraph, this.#statements, silentLogger);
  }

  static async start(environment: Readonly<Record<string, string>>): Promise<AuthUnderTest> {
    const db = await testDatabase({ schema: "auth", migrations: new URL("../migrations/", import.meta.url) });
    const secrets = new Secrets("a secret key of the tests");
    return new AuthUnderTest(await startService(auth, authContract, { db, environment, secrets }), db, secrets);
  }

  /** The kind of its error, or "done". */
  async ask(query: string, variables: Record<string, unknown>): Promise<unknown> {
    const statement = this.#statements.sign({ clientAddress: "192.0.2.1" });
    const { errors } = await this.#subgraph.execute({ query, variables, statement });
    return errors?.[0]?.extensions?.["kind"] ?? "done";
  }

  signUp(invitation?: string, username = `${newId()}@example.org`): Promise<unknown> {
    const signUp = `mutation ($username: String!, $password: String!, $invitation: String) {
      signUp(username: $username, password: $password, invitation: $invitation) { token }
    }`;
    return this.ask(signUp, { username, password, invitation });
  }

  requestReset(username: string): Promise<unknown> {
    const request = `mutation ($username: String!) { requestPasswordReset(username: $username) { isAccepted } }`;
    return this.ask(request, { username });
  }

  /** How many mails were asked for. */
  async notices(): Promise<number> {
    return (await this.db.query(`select from outbox where topic like '%notice%'`)).rowCount;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.db.dispose();
  }
}

let running: AuthUnderTest | undefined;
afterEach(async () => running?.stop());

async function started(environment: Readonly<Record<string, string>>): Promise<AuthUnderTest> {
  running = await AuthUnderTest.start(environment);
  return running;
}

describe("signing up", () => {
  test("is open to anybody unless said otherwise, as often from one address as it is let", async () => {
    const service = await started({ LIMIT_SIGN_UP_PER_ADDRESS: "2" });
    expect(await service.signUp()).toBe("done");
    expect(await service.signUp("an invitation that nobody needs")).toBe("done");
    expect(await service.signUp()).toBe("RateLimited");
  });

  test("is closed where the operator alone makes accounts", async () => {
    const service = await started({ SIGNUP: "closed" });
    const { code } = await service.service.client.invite({});
    expect(await service.signUp()).toBe("Forbidden");
    expect(await service.signUp(code)).toBe("Forbidden");
    await service.service.client.addAccount({ username: "made@example.org", password });
    expect((await service.service.client.listAccounts({})).map(({ username }) => username)).toEqual([
      "made@example.org",
    ]);
  });

  test("is by an invitation, which is good once and for a while", async () => {
    const service = await started({ SIGNUP: "invite" });
    for (const none of [undefined, "", "guessed"]) expect(await service.signUp(none)).toBe("Forbidden");
    const { code, expiresAt } = await service.service.client.invite({});
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    // What came to nothing has not used it up.
    await service.service.client.addAccount({ username: "taken@example.org", password });
    expect(await service.signUp(code, "taken@example.org")).toBe("Conflict");
    const both = await Promise.all([service.signUp(code), service.signUp(` ${code}\n`)]);
    expect(both.sort()).toEqual(["Forbidden", "done"]);

    const { code: late } = await service.service.client.invite({});
    await service.db.query(`update invitation set expires_at = now()`);
    expect(await service.signUp(late)).toBe("Forbidden");
    expect(await service.service.client.listAccounts({})).toHaveLength(2);
  });
});

describe("a password's reset", () => {
  test("is asked for without learning who has an account, and mails nobody without end", async () => {
    const service = await started({});
    const { username } = await service.service.client.addAccount({ username: "known@example.org", password });
    const before = await service.notices();
    for (const name of [username, "unknown@example.org", "", "nul\0"])
      expect([name, await service.requestReset(name)]).toEqual([name, "done"]);
    expect(await service.notices()).toBe(before + 1);
    for (let again = 0; again < 8; again++) expect(await service.requestReset(username)).toBe("done");
    expect(await service.notices()).toBe(before + 5);
    await service.service.client.disableAccount({ username });
    expect(await service.requestReset(username)).toBe("done");
    expect(await service.notices()).toBe(before + 5);
  });

  test("comes by a link that is good for an hour, and not beyond a change of the password", async () => {
    const service = await started({});
    await service.service.client.addAccount({ username: "late@example.org", password });
    await service.requestReset("late@example.org");
    await service.db.query(`update account_link set expires_at = now()`);
    const { rows } = await service.db.query<{ payload: Buffer }>(
      `select payload from outbox where topic like '%notice%' order by id desc limit 1`,
    );
    const token = /\/reset\/([\w-]+)/.exec(String(rows[0]?.payload.toString("latin1")))?.[1] ?? "";
    expect(token).not.toBe("");
    await expect(service.service.client.describeReset({ token })).rejects.toMatchObject({ kind: "NotFound" });
    await expect(service.service.client.resetPassword({ token, password: "another one" })).rejects.toMatchObject({
      kind: "NotFound",
    });
    await service.db.query(`update account_link set expires_at = now() + interval '1 hour'`);
    await expect(service.service.client.describeReset({ token })).resolves.toEqual({ username: "late@example.org" });
  });
});
