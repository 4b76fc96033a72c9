import { randomBytes } from "node:crypto";
import type { TestAccount } from "./accounts.ts";
import type { Answer, Json } from "./ask.ts";

export const bindingsPath = "/api/v1/proxy-bindings";

/** A request body, of creation and of change. */
export function bindingBody(attributes: unknown, id?: unknown) {
  return { data: { type: "proxy_bindings", ...(id === undefined ? {} : { id }), attributes } };
}

export function createBinding(account: TestAccount, attributes: unknown): Promise<Answer> {
  return account.ask("POST", bindingsPath, bindingBody(attributes));
}

export function changeBinding(account: TestAccount, id: string, attributes: unknown): Promise<Answer> {
  return account.ask("PATCH", `${bindingsPath}/${id}`, bindingBody(attributes));
}

export interface Made {
  id: string;
  proxyAddress: string;
  resource: Json;
}

/** A binding of a person. @throws Error with the answer when it is not 201 */
export async function madeBinding(account: TestAccount, attributes: unknown = {}): Promise<Made> {
  const { status, body, text } = await createBinding(account, attributes);
  const resource = body["data"];
  if (status !== 201 || !resource) throw new Error(`creation answered ${status}: ${text}`);
  return { id: String(resource["id"]), proxyAddress: String(resource["attributes"]?.["proxy_address"]), resource };
}

/** A local part that is nobody's yet. */
export function freshName(): string {
  return `chosen-${randomBytes(6).toString("hex")}`;
}

export function freshAddress(): string {
  return `${freshName()}@postern.localhost`;
}

/** All that the list shows of a person's bindings, to be compared with what it shows later. */
export async function bindingsOf(account: TestAccount): Promise<Json> {
  return (await account.ask("GET", bindingsPath)).body;
}

export const verified = { is_enabled: true, is_verified: true };
export const unverified = { is_enabled: true, is_verified: false };
