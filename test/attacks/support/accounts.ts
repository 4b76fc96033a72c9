import { Installation as Operator } from "../../../services/admin/installation.ts";
import { authContract } from "../../../services/auth/contract.ts";
import type { RowOf } from "../../../services/platform/db/types.ts";
import type { Client } from "../../../services/platform/rpc/contract.ts";
import { loadAllServices } from "../../../services/targets.ts";
import { type Installation, startInstallation } from "../../support/installation/installation.ts";
import { asSuperuser } from "../../support/peers/database.ts";
import { linkTo } from "../../web/support/people.ts";
import { type ClientOptions, GraphClient } from "./graph-client.ts";

/** Not among those that everybody tries. */
export const password = "blue kettle under seven bridges";

export interface Owner {
  id: string;
  username: string;
  bearer: string;
  /** Asks with the bearer token. */
  client: GraphClient;
}

/** An installation to attack accounts of. */
export class AttackedInstallation {
  readonly installation: Installation;
  readonly #closing: () => Promise<void>;
  /** What an operator can ask of auth. */
  readonly operator: Client<typeof authContract>;
  #owners = 0;

  private constructor(installation: Installation, operator: Client<typeof authContract>, closing: () => Promise<void>) {
    this.installation = installation;
    this.operator = operator;
    this.#closing = closing;
  }

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<AttackedInstallation> {
    const installation = await startInstallation({
      environment: { TRUSTED_PROXY_HOPS: "1", AUTOMATIC_BINDING: "false", ...environment },
    });
    const beside = new Operator(await loadAllServices(), installation.environment);
    return new AttackedInstallation(installation, await beside.service(authContract), () => beside.close());
  }

  client(options?: ClientOptions): GraphClient {
    return new GraphClient(this.installation.url, options);
  }

  /** An account with a confirmed address, signed in. */
  async owner(): Promise<Owner> {
    this.#owners += 1;
    const username = `owner-${this.#owners}@example.org`;
    const { id } = await this.operator.addAccount({ username, password });
    const { token: bearer } = await this.operator.signIn({ username, password, clientAddress: "192.0.2.1" });
    return { id, username, bearer, client: this.client({ bearer }) };
  }

  /** An account as a former release made it before its address was confirmed; whoever made it is signed in. */
  async unconfirmed(): Promise<Owner> {
    const made = await this.owner();
    await this.sql(`update auth.account set is_username_verified = false, is_operator_made = false where id = $1`, [
      made.id,
    ]);
    return made;
  }

  /** What stands in the latest link of a kind that was mailed to somebody. */
  async linkToken(username: string, page: "confirm" | "reset"): Promise<string> {
    const link = await linkTo(this.installation, username, page);
    return link.slice(link.lastIndexOf("/") + 1);
  }

  /** The texts of the mails that left for somebody. */
  async mailsTo(username: string): Promise<string[]> {
    const mails = await this.installation.outbound();
    return mails.filter(({ envelopeTo }) => envelopeTo === username).map(({ message }) => String(message));
  }

  /** Runs a statement in the database of the installation. */
  async sql<Row extends object>(statement: string, params: unknown[] = []): Promise<RowOf<Row>[]> {
    return asSuperuser<Row>(await this.installation.databaseUrl(), statement, params);
  }

  async dispose(): Promise<void> {
    await this.#closing();
    await this.installation.dispose();
  }
}
