import { randomBytes } from "node:crypto";
import { answered, ask, type GraphAnswer, type Variables } from "./ask.ts";
import { linkFor, tokenOf } from "./links.ts";

/** An account that has signed up, that no other test of this run uses. */
export interface TestAccount {
  id: string;
  username: string;
  password: string;
  bearer: string;
  /** Asks with the bearer token. */
  ask(query: string, variables?: Variables): Promise<GraphAnswer>;
  /** The same, for an answer without errors. */
  get(query: string, variables?: Variables): ReturnType<typeof answered>;
}

export const password = "what the owner alone knows";

export function freshUsername(): string {
  return `account-${randomBytes(6).toString("hex")}@example.org`;
}

const signUp = `mutation ($username: String!, $password: String!) {
  signUp(username: $username, password: $password) { account { id } }
}`;
const confirm = `mutation ($token: String!, $password: String!) { confirmAddress(token: $token, password: $password) { token } }`;

/** Signs up, opens the link, and has a bearer token. */
export async function newAccount(): Promise<TestAccount> {
  const username = freshUsername();
  const asked = (await answered(ask(signUp, { username, password })))["signUp"];
  const token = tokenOf(await linkFor(username, "confirm"));
  const confirmed = (await answered(ask(confirm, { token, password })))["confirmAddress"];
  return { id: String(asked?.["account"]?.["id"]), username, password, ...asking(String(confirmed?.["token"])) };
}

/** Whoever holds this bearer token. */
export function asking(bearer: string): Pick<TestAccount, "bearer" | "ask" | "get"> {
  const askWith = (query: string, variables?: Variables) =>
    ask(query, variables, { authorization: `Bearer ${bearer}` });
  return { bearer, ask: askWith, get: (query, variables) => answered(askWith(query, variables)) };
}

const create = `mutation ($input: CreateProxyBindingInput) {
  createProxyBinding(input: $input) { proxyBinding { id proxyAddress } }
}`;

export interface MadeBinding {
  id: string;
  proxyAddress: string;
}

export async function madeBinding(account: TestAccount, input: Variables = {}): Promise<MadeBinding> {
  const data = await account.get(create, { input });
  return data["createProxyBinding"]?.["proxyBinding"] as unknown as MadeBinding;
}
