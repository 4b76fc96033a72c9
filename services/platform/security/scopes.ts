import { Refusal } from "../errors.ts";

/** What an API key may be given. `admin` stands for the whole account; for the operator's commands there is none. */
export const scopes = ["alias:create", "alias:read", "alias:write", "mail:read", "mail:send", "admin"] as const;

export type Scope = (typeof scopes)[number];

/**
 * What an endpoint or a field needs: a scope; "session" for what no key may do, such as reading or changing credentials; "none"
 * for what takes no credentials.
 */
export type NeededScope = Scope | "session" | "none";

/** What an API key is held to. */
export interface KeyRights {
  id: string;
  scopes: string[];
  /** Proxy addresses that it creates or changes are on this domain; null for any. */
  domain: string | null;
  /** Their real addresses are among these: ids of targets, or addresses. Empty for any. */
  targetIds: string[];
}

/** The caller's sign-in session, its API token, or (`key`) an API key. */
interface ScopedCaller {
  key?: KeyRights | undefined;
}

/** A need that nobody has declared is one that no key meets. */
function isInScope({ key }: { key?: Pick<KeyRights, "scopes"> | undefined }, needed: NeededScope | undefined): boolean {
  if (!key || needed === "none") return true;
  if (needed === undefined || needed === "session") return false;
  return key.scopes.includes(needed) || key.scopes.includes("admin");
}

/** @throws Refusal ScopeMissing for an API key that lacks it; a session and the API token have every right. */
export function requireScope(
  caller: { key?: Pick<KeyRights, "scopes"> | undefined },
  needed: NeededScope | undefined,
): void {
  if (isInScope(caller, needed)) return;
  if (needed === undefined || needed === "session") throw neverByKey();
  throw new Refusal("ScopeMissing", { public: `This API key lacks the scope ${needed}.` });
}

/** What concerns the whole account. @throws Refusal Forbidden for an API key that is bound to a domain or to real addresses */
export function requireUnbound({ key }: ScopedCaller): void {
  if (key && (key.domain !== null || key.targetIds.length > 0))
    throw new Refusal("Forbidden", { public: "This API key is bound to a domain or to real addresses." });
}

/** What reads or changes credentials. */
export function neverByKey(): Refusal {
  return new Refusal("ScopeMissing", { public: "No API key may do this: sign in, or use the account's API token." });
}

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

/** Whether a credential is meant to be an API key: secret scanners know it by the same prefix. */
export function isKeyLike(credential: string): boolean {
  return credential.startsWith("psk_");
}
