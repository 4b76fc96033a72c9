import { Postern } from "../../../clients/typescript/src/index.ts";
import type { Installation } from "../../support/installation/installation.ts";

/** The bootstrap account, signed in. */
export function owner({ url, account }: Installation): Promise<Postern> {
  return Postern.signIn(account, { url });
}

/** A key of the bootstrap account. */
export async function keyWith(installation: Installation, scopes: string[]): Promise<string> {
  return (await (await owner(installation)).keys.create({ name: "tests", scopes })).key;
}

/** A client with such a key. */
export async function clientWith(installation: Installation, scopes: string[]): Promise<Postern> {
  return new Postern({ url: installation.url, key: await keyWith(installation, scopes) });
}
