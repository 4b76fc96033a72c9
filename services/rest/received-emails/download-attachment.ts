import { pipeline } from "node:stream/promises";
import { Refusal } from "../../platform/errors.ts";
import { sparingOutages, whileInForce } from "../../platform/http/while-in-force.ts";
import { endpoint } from "../http/endpoint.ts";
import { ErrorDocument } from "../http/schemas.ts";

/** What the `url` of an attachment leads to: its signature is the credential. */
export const downloadAttachment = endpoint({
  name: "downloadAttachment",
  tag: "Received emails",
  summary: "Download an attachment by its signed, expiring link",
  description:
    "A PNG, JPEG, GIF or WebP picture has its own media type; anything else is application/octet-stream, whatever its sender called it.",
  method: "GET",
  path: "/api/v1/attachments/{emailId}/{index}",
  credentials: "none",
  scope: "none",
  responses: { 200: "*/*", 403: ErrorDocument, 404: ErrorDocument, 503: ErrorDocument },
  async handle({ services, path: { emailId = "", index = "" }, query, request, response }) {
    if (!/^\d{1,6}$/.test(index)) throw new Refusal("NotFound", { public: "There is no such attachment." });
    const link = {
      emailId,
      index: Number(index),
      expires: query.get("expires") ?? "",
      signature: query.get("signature") ?? "",
    };
    const { filename, mime, sizeBytes, blobId, ownerId } = await services.mailbox.attachment(link);
    const requireAccount = async () => {
      if (ownerId !== undefined && (await services.auth.account({ id: ownerId })).isDisabled)
        throw new Refusal("NotFound", { public: "There is no such attachment any more." });
    };
    await requireAccount();
    const bytes = request.method === "HEAD" ? undefined : await services.mailboxStreams.attachmentBytes({ blobId });
    // What came by mail is downloaded, never shown: it must not run in our origin.
    response.setHeader("content-type", downloadType(mime));
    response.setHeader(
      "content-disposition",
      `attachment; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed()).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
    );
    response.setHeader("content-length", sizeBytes);
    response.setHeader("content-security-policy", "sandbox; default-src 'none'");
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("cache-control", "private, no-store");
    if (bytes) await pipeline(whileInForce(bytes, sparingOutages(requireAccount)), response);
    else response.end();
    return undefined;
  },
});

/** Pictures that HTML mail shows. SVG is not among them: it is a document, with scripts. */
const shownPictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Any other media type that the sender declared is shown only in the email's details: no browser may act on it. */
function downloadType(mime: string): string {
  const type = mime.toLowerCase();
  return shownPictures.has(type) ? type : "application/octet-stream";
}
