import type { SessionChange } from "../graph/graph-request.ts";
import { HostCookie } from "./host-cookie.ts";

/** The cookie that a browser's session travels in. */
export class SessionCookie {
  readonly #cookie: HostCookie;

  constructor(publicUrl: string) {
    this.#cookie = new HostCookie("postern-session", publicUrl);
  }

  /** The session's token, if the browser sent one. */
  read(header: string | undefined): string | undefined {
    return this.#cookie.read(header);
  }

  /** A Set-Cookie header that begins or ends the session. */
  write({ token, expiresAt }: SessionChange): string {
    if (token === null) return this.#cookie.write("", "Max-Age=0");
    return this.#cookie.write(token, expiresAt && `Expires=${new Date(expiresAt).toUTCString()}`);
  }
}
