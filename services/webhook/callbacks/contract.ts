import { z } from "zod";

/** An attempt's request and response; long ones cut. Nothing of the request's body, which is made of the email. */
export const CallbackExchange = z.object({
  requestHeaders: z.record(z.string(), z.string()),
  requestBytes: z.number().int(),
  responseHeaders: z.record(z.string(), z.string()),
  /** How it begins, as UTF-8. */
  responseBody: z.string(),
});

export const CallbackAttempt = z.object({
  at: z.iso.datetime(),
  status: z.number().int().nullable(),
  durationMs: z.number().int().nullable(),
  failure: z.string().nullable(),
  /** Null of attempts before there was one, and where no request was made. */
  exchange: CallbackExchange.nullable().default(null),
});

export const Callback = z.object({
  emailId: z.uuid(),
  url: z.string(),
  state: z.enum(["waiting", "delivered", "given_up", "cancelled"]),
  attempts: z.array(CallbackAttempt),
  nextAttemptAt: z.iso.datetime().nullable(),
});
