import { z } from "zod";
import { Refusal } from "../../platform/errors.ts";
import { absentIfNull, wellFormedText } from "../http/schemas.ts";
import { dataOf, posternEndpoint } from "./endpoint.ts";

const bodyLimitBytes = 10 * 1024 * 1024;
const keyPattern = /^[!-~]{1,255}$/;

const addresses = z
  .array(wellFormedText("an email address"), { error: "expected an array of email addresses" })
  .max(100);

const NewMessage = z
  .object(
    {
      from: wellFormedText("an email address").meta({ description: "A proxy address of yours" }),
      to: addresses.default([]),
      cc: addresses.default([]),
      bcc: addresses.default([]),
      subject: wellFormedText("a string")
        .max(900)
        .refine((text) => !/[\r\n]/.test(text), { error: "must be one line" })
        .default(""),
      text: absentIfNull(wellFormedText("a string")),
      html: absentIfNull(wellFormedText("a string")),
      attachments: z
        .array(
          z.object({
            filename: wellFormedText("a string").max(255),
            mime: absentIfNull(
              z.string().regex(/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/, { error: "expected a media type" }),
            ),
            content: z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/, { error: "expected base64" }),
          }),
        )
        .max(50)
        .default([]),
    },
    { error: "expected an object" },
  )
  .meta({
    id: "NewMessage",
    example: { from: "shop@postern.localhost", to: ["ann@shop.example"], subject: "Hello", text: "Hello, Ann." },
  });

const MessageSent = z.object({ id: z.string() }).meta({ id: "MessageSent" });

export const sendMessage = posternEndpoint({
  name: "sendMessage",
  summary: "Send mail from a proxy address",
  description:
    "Taken once for each Idempotency-Key, which is kept 7 days; 409 for a key that was used for another message. 403 SendingNotAllowed where the installation lets accounts answer alone, and a recipient has not written yet. The id is that of an email, whose timeline says what became of it.",
  method: "POST",
  path: "/messages",
  scope: "mail:send",
  body: NewMessage,
  bodyLimitBytes,
  responses: { 202: dataOf(MessageSent) },
  refusals: [409, 429],
  async handle({ services, caller, body, request }) {
    const idempotencyKey = request.get("idempotency-key");
    if (idempotencyKey !== undefined && !keyPattern.test(idempotencyKey))
      throw new Refusal("ValidationFailed", { public: "Idempotency-Key: expected 1 to 255 printable characters." });
    const { id } = await services.ingress.send({ ownerId: caller.accountId, ...body, idempotencyKey });
    return { status: 202, data: { id } };
  },
});
