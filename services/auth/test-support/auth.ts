import { fromBinary } from "@bufbuild/protobuf";
import {
  type NoticeRequested,
  NoticeRequestedSchema,
} from "../../../proto/gen/postern/forwarder/v1/notice_requested_pb.js";
import { type ServiceUnderTest, startService } from "../../../test/support/installation/service.ts";
import { silentLogger, type TestDatabase } from "../../../test/support/peers/database.ts";
import { type CallerStatement, CallerStatements } from "../../platform/graph/caller-statement.ts";
import type { Subgraph } from "../../platform/graph/subgraph.ts";
import { SubgraphServer } from "../../platform/graph/subgraph-server.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { AccountMailer } from "../accounts/account-mailer.ts";
import { authContract } from "../contract.ts";
import { auth } from "../module.ts";
import { authDatabase } from "./database.ts";

export interface GraphOutcome {
  data: Record<string, unknown> | null | undefined;
  /** The kind of its first error; "done" without one. */
  kind: unknown;
}

/** auth by itself with its part of the graph, and the mails that it asks for. */
export class AuthUnderTest {
  readonly #statements: CallerStatements;
  readonly #subgraph: SubgraphServer;
  readonly service: ServiceUnderTest<typeof authContract>;
  readonly db: TestDatabase;

  private constructor(
    service: ServiceUnderTest<typeof authContract>,
    subgraph: Subgraph,
    db: TestDatabase,
    secrets: Secrets,
  ) {
    this.service = service;
    this.db = db;
    this.#statements = new CallerStatements(secrets);
    this.#subgraph = new SubgraphServer("auth", subgraph, this.#statements, silentLogger);
  }

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<AuthUnderTest> {
    const db = await authDatabase();
    const secrets = new Secrets("a secret key of the tests");
    const service = await startService(auth, authContract, { db, environment, secrets });
    const subgraph = await service.parts.subgraph?.();
    if (!subgraph) throw new Error("auth has no subgraph");
    return new AuthUnderTest(service, subgraph, db, secrets);
  }

  get client() {
    return this.service.client;
  }

  /** Asks its part of the graph, as somebody who has not signed in unless a caller is given. */
  async ask(
    query: string,
    variables: Record<string, unknown>,
    { clientAddress = "192.0.2.1", caller, language }: Partial<CallerStatement> = {},
  ): Promise<GraphOutcome> {
    const statement = this.#statements.sign({ clientAddress, caller, language });
    const { data, errors } = await this.#subgraph.execute({ query, variables, statement });
    return { data, kind: errors?.[0]?.extensions?.["kind"] ?? "done" };
  }

  /** Has the mails sent that wait for being sent. */
  async sendMails(): Promise<void> {
    const mailer = this.service.parts.tasks?.find((task) => task instanceof AccountMailer);
    await mailer?.run();
  }

  /** The mails that it has asked for so far, in order. */
  async mails(recipient?: string): Promise<NoticeRequested[]> {
    const { rows } = await this.db.query<{ payload: Buffer }>(
      `select payload from outbox where topic = 'notice.requested' order by id`,
    );
    const notices = rows.map(({ payload }) => fromBinary(NoticeRequestedSchema, payload));
    return recipient === undefined ? notices : notices.filter((notice) => notice.recipient === recipient);
  }

  /** What stands in the latest link of a kind that was sent to somebody. */
  async linkToken(recipient: string, page: "confirm" | "reset"): Promise<string> {
    const links = (await this.mails(recipient)).flatMap(
      ({ text }) => new RegExp(`/${page}/([\\w-]+)`).exec(text)?.[1] ?? [],
    );
    const latest = links.at(-1);
    if (latest === undefined) throw new Error(`no mail to ${recipient} has a link to /${page}`);
    return latest;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.db.dispose();
  }
}
