import { errors, jwtVerify, SignJWT } from "jose";
import { Refusal } from "../errors.ts";
import type { Secrets } from "../secrets.ts";

const purpose = "graph-caller";
const issuer = "postern";

/** Longer than a query can take, and useless by the time anybody could find it in a log. */
const lifetimeS = 60;

/** Who is asking, as the gateway found out: what services get in place of the credential. */
export interface GraphCaller {
  accountId: string;
  username: string;
  /** False while a second factor is still owed. */
  isFullyAuthenticated: boolean;
  /** The sign-in session behind a bearer token or a cookie; absent for an API token. */
  sessionId?: string | undefined;
  /** The session is a browser's: its token is a cookie. */
  isCookie: boolean;
}

export interface CallerStatement {
  /** Absent: nobody has signed in. */
  caller?: GraphCaller | undefined;
  /** The client's address as the front door saw it. */
  clientAddress: string;
}

/** Signs who is asking for the services (JWS, RFC 7515), and reads it there. The key hangs on SECRET_KEY. */
export class CallerStatements {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  sign(statement: CallerStatement): Promise<string> {
    const [key] = this.#secrets.keys(purpose);
    return new SignJWT({ ...statement })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(issuer)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeS}s`)
      .sign(key);
  }

  /** @throws Refusal Forbidden for what was not signed by this installation, or has expired. */
  async read(signed: string): Promise<CallerStatement> {
    for (const key of this.#secrets.keys(purpose)) {
      try {
        const { payload } = await jwtVerify(signed, key, { issuer, algorithms: ["HS256"], clockTolerance: 30 });
        return payload as unknown as CallerStatement;
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
      }
    }
    throw new Refusal("Forbidden", {
      public: "Only this installation's gateway may ask here.",
      operator: "the caller's statement is missing, expired or signed with another SECRET_KEY",
    });
  }
}
