import { expect, test } from "@jest/globals";
import { createLimits } from "../../platform/security/rate-limits.ts";
import { createLogger } from "../../platform/telemetry/logger.ts";
import { MailLimits } from "./mail-limits.ts";

test("clients and bindings are counted apart; what an exempt client sends counts towards neither", async () => {
  const limits = await createLimits(undefined, createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" }));
  const mail = new MailLimits(limits, { perClient: 2, perBinding: 2, isExempt: (address) => address === "10.0.0.1" });
  for (const client of ["10.0.0.1", "10.0.0.1", "10.0.0.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"]) {
    await mail.countMessage(client);
    if (client !== "192.0.2.2") await mail.countRecipient(client, "a");
  }
  await expect(mail.countMessage("192.0.2.1")).rejects.toMatchObject({
    responseCode: 421,
    message: expect.stringContaining("4.7.0"),
  });
  await expect(mail.countRecipient("192.0.2.2", "a")).rejects.toMatchObject({
    responseCode: 452,
    message: expect.stringContaining("4.2.1"),
  });
  await mail.countRecipient("192.0.2.2", "b");
});
