import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import type { mailboxContract } from "../../services/mailbox/contract.ts";
import type { StreamClient } from "../../services/platform/rpc/contract.ts";
import type { CallerAuthenticator } from "../graph/caller-authenticator.ts";

/** A message as it came, for the owner of a browsable binding: `sourceUrl` of the graph. Downloaded, never shown. */
export function emailSource(
  authenticator: CallerAuthenticator,
  mailbox: Pick<StreamClient<typeof mailboxContract>, "rawSource">,
) {
  return async (request: Request, response: Response): Promise<void> => {
    const { accountId } = await authenticator.account(request.headers, "mail:read");
    const emailId = String(request.params["id"]);
    const bytes = await mailbox.rawSource({ ownerId: accountId, emailId });
    response.writeHead(200, {
      "content-type": "message/rfc822",
      "content-disposition": `attachment; filename="${emailId}.eml"`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    });
    await pipeline(bytes, response);
  };
}
