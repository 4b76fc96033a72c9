import type { TLSSocket } from "node:tls";

/** What is wrong with a certificate where the server has to prove its name to those whom this system trusts. */
export function certificateError({ authorized, authorizationError }: TLSSocket): Error | undefined {
  return authorized ? undefined : new Error(`the certificate of the server is not trusted: ${authorizationError}`);
}
