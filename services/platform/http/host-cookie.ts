/**
 * A cookie out of reach of scripts, and not sent along by other sites' requests. Under https it carries the `__Host-` prefix (RFC 6265bis
 * section 4.1.3.2): no other host can set or read it.
 */
export class HostCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor(name: string, publicUrl: string) {
    const isSecure = publicUrl.startsWith("https://");
    this.#name = isSecure ? `__Host-${name}` : name;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  }

  /** Its value in a Cookie header; undefined where it is absent or empty. */
  read(header: string | undefined): string | undefined {
    const pairs = (header ?? "").split(";").map((pair) => pair.trim());
    const value = pairs.find((pair) => pair.startsWith(`${this.#name}=`))?.slice(this.#name.length + 1);
    return value === "" ? undefined : value;
  }

  /** A Set-Cookie header. @param lifetime Max-Age or Expires; absent: for as long as the browser runs */
  write(value: string, lifetime?: string): string {
    return `${this.#name}=${value}; ${this.#attributes}${lifetime === undefined ? "" : `; ${lifetime}`}`;
  }
}
