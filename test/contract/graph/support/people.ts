import { randomBytes } from "node:crypto";
import { answered, ask, type GraphAnswer, type Variables } from "./ask.ts";

/** Somebody who has signed up, whom nobody else in this run uses. */
export interface Person {
  id: string;
  username: string;
  password: string;
  bearer: string;
  /** Asks with the bearer token. */
  ask(query: string, variables?: Variables): Promise<GraphAnswer>;
  /** The same, for an answer without errors. */
  get(query: string, variables?: Variables): ReturnType<typeof answered>;
}

export const password = "what the newcomer knows";

export function freshUsername(): string {
  return `newcomer-${randomBytes(6).toString("hex")}@example.org`;
}

const signUp = `mutation ($username: String!, $password: String!) {
  signUp(username: $username, password: $password) { token account { id } }
}`;

/** Signs up with a bearer token. */
export async function newcomer(): Promise<Person> {
  const username = freshUsername();
  const made = (await answered(ask(signUp, { username, password })))["signUp"];
  return { id: String(made?.["account"]?.["id"]), username, password, ...asking(String(made?.["token"])) };
}

/** Whoever holds this bearer token. */
export function asking(bearer: string): Pick<Person, "bearer" | "ask" | "get"> {
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

export async function madeBinding(person: Person, input: Variables = {}): Promise<MadeBinding> {
  const data = await person.get(create, { input });
  return data["createProxyBinding"]?.["proxyBinding"] as unknown as MadeBinding;
}
