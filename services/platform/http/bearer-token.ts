import { Refusal } from "../errors.ts";

/** The token of an Authorization header (RFC 6750 section 2.1); undefined where it holds none. */
export function parseBearer(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/**
 * The token of an Authorization header; undefined where there is no header, or an empty one.
 * @throws Refusal BearerTokenInvalid when it holds another scheme than Bearer
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.trim() === "") return undefined;
  const token = parseBearer(authorization);
  if (token === undefined)
    throw new Refusal("BearerTokenInvalid", { public: "The Authorization header does not hold a bearer token." });
  return token;
}
