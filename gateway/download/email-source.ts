import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import type { authContract } from "../../services/auth/contract.ts";
import type { mailboxContract } from "../../services/mailbox/contract.ts";
import { credentialInForce, whileInForce } from "../../services/platform/http/while-in-force.ts";
import type { Client, StreamClient } from "../../services/platform/rpc/contract.ts";
import type { CallerAuthenticator } from "../graph/caller-authenticator.ts";

/**
 * A message as it came, for the owner of a browsable binding: `sourceUrl` of the graph. Downloaded, never shown, and broken off once what it
 * was asked with is revoked.
 */
export function emailSource(
  authenticator: CallerAuthenticator,
  auth: Pick<Client<typeof authContract>, "requireInForce">,
  mailbox: Pick<StreamClient<typeof mailboxContract>, "rawSource">,
) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = await authenticator.account(request.headers, "mail:read");
    const emailId = String(request.params["id"]);
    const bytes = await mailbox.rawSource({ ownerId: caller.accountId, emailId });
    response.writeHead(200, {
      "content-type": "message/rfc822",
      "content-disposition": `attachment; filename="${emailId}.eml"`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    });
    await pipeline(whileInForce(bytes, credentialInForce(caller, "mail:read", auth)), response);
  };
}
