import type { SessionChange } from "../graph/graph-request.ts";

/**
 * The cookie that a browser's session travels in: out of reach of scripts, and not sent along by other sites' requests.
 * Under https it carries the `__Host-` prefix (RFC 6265bis section 4.1.3.2): no other host can set or read it.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor(publicUrl: string) {
    const isSecure = publicUrl.startsWith("https://");
    this.#name = isSecure ? "__Host-postern-session" : "postern-session";
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  }

  /** The session's token, if the browser sent one. */
  read(header: string | undefined): string | undefined {
    const pairs = (header ?? "").split(";").map((pair) => pair.trim());
    const value = pairs.find((pair) => pair.startsWith(`${this.#name}=`))?.slice(this.#name.length + 1);
    return value === "" ? undefined : value;
  }

  /** A Set-Cookie header that begins or ends the session. */
  write({ token, expiresAt }: SessionChange): string {
    if (token === null) return `${this.#name}=; ${this.#attributes}; Max-Age=0`;
    const expires = expiresAt === undefined ? "" : `; Expires=${new Date(expiresAt).toUTCString()}`;
    return `${this.#name}=${token}; ${this.#attributes}${expires}`;
  }
}
