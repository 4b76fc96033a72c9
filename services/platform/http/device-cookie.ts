import { randomBytes } from "node:crypto";
import { dayS } from "../durations.ts";
import { HostCookie } from "./host-cookie.ts";

const valuePattern = /^[\w-]{22}$/;

/** As long as browsers keep a cookie (RFC 6265bis section 5.5). */
const lifetimeS = 400 * dayS;

/**
 * The cookie that a browser is known by once somebody has signed in with it: a random name, which is worth nothing to who steals it
 * but a count of wrong passwords of its own. It outlives sessions, and says nothing of who signed in.
 */
export class DeviceCookie {
  readonly #cookie: HostCookie;

  constructor(publicUrl: string) {
    this.#cookie = new HostCookie("postern-device", publicUrl);
  }

  /** What the browser is known by; undefined for one that is not known yet. */
  read(header: string | undefined): string | undefined {
    const value = this.#cookie.read(header);
    return value !== undefined && valuePattern.test(value) ? value : undefined;
  }

  /** What a browser is to be known by from now on. */
  newName(): string {
    return randomBytes(16).toString("base64url");
  }

  /** A Set-Cookie header that has the browser keep its name. */
  write(device: string): string {
    return this.#cookie.write(device, `Max-Age=${lifetimeS}`);
  }
}
