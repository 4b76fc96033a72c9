import { randomBytes } from "node:crypto";
import { dayS } from "../durations.ts";

const valuePattern = /^[\w-]{22}$/;

/** As long as browsers keep a cookie (RFC 6265bis section 5.5). */
const lifetimeS = 400 * dayS;

/**
 * The cookie that a browser is known by once somebody has signed in with it: a random name, which is worth nothing to who steals it
 * but a count of wrong passwords of its own. It outlives sessions, and says nothing of who signed in.
 */
export class DeviceCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor(publicUrl: string) {
    const isSecure = publicUrl.startsWith("https://");
    this.#name = isSecure ? "__Host-postern-device" : "postern-device";
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}; Max-Age=${lifetimeS}`;
  }

  /** What the browser is known by; undefined for one that is not known yet. */
  read(header: string | undefined): string | undefined {
    const pairs = (header ?? "").split(";").map((pair) => pair.trim());
    const value = pairs.find((pair) => pair.startsWith(`${this.#name}=`))?.slice(this.#name.length + 1) ?? "";
    return valuePattern.test(value) ? value : undefined;
  }

  /** What a browser is to be known by from now on. */
  newName(): string {
    return randomBytes(16).toString("base64url");
  }

  /** A Set-Cookie header that has the browser keep its name. */
  write(device: string): string {
    return `${this.#name}=${device}; ${this.#attributes}`;
  }
}
