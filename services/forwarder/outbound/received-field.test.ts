import { expect, test } from "@jest/globals";
import { forwardDelivery } from "../test-support/delivery.ts";
import { authenticationResultsHeader, receivedHeader } from "./received-field.ts";

test("Received says from whom, by whom, over what, for whom and when", () => {
  const delivery = forwardDelivery({
    emailId: "0190b4a2-0000-7000-8000-000000000001",
    clientName: "mx.sender.example",
    clientAddress: "2001:db8::1",
    protocol: "ESMTPS",
    tls: "TLSv1.3 TLS_AES_256_GCM_SHA384",
  });
  expect(receivedHeader(delivery, "postern.example")).toBe(
    [
      "Received: from mx.sender.example ([IPv6:2001:db8::1])",
      "\t(TLSv1.3 TLS_AES_256_GCM_SHA384)",
      "\tby postern.example with ESMTPS id 0190b4a2-0000-7000-8000-000000000001",
      "\tfor <Proxy@postern.example>;",
      "\tTue, 20 Jan 2026 12:00:00 +0000",
      "",
    ].join("\r\n"),
  );
});

test("nothing that a stranger said can end the header", () => {
  const hostile = "a\r\nBcc: everybody@example.com";
  const header = receivedHeader(
    forwardDelivery({ clientName: hostile, recipient: `${hostile}@postern.example`, protocol: hostile, tls: hostile }),
    "postern.example",
  );
  expect(header).not.toContain("Bcc");
  expect(
    header
      .split("\r\n")
      .slice(1, -1)
      .every((line) => line.startsWith("\t")),
  ).toBe(true);
  expect(authenticationResultsHeader("postern.example;\r\nspf=pass\r\n\r\ndkim=none")).toBe(
    "Authentication-Results: postern.example;\r\n\tspf=pass\r\n\tdkim=none\r\n",
  );
});

test("an address beyond ASCII stands only in an internationalized message (RFC 6531)", () => {
  expect(receivedHeader(forwardDelivery({ recipient: "grüße@postern.example" }), "postern.example")).not.toContain(
    "for <",
  );
  expect(
    receivedHeader(forwardDelivery({ recipient: "grüße@postern.example", smtpUtf8: true }), "postern.example"),
  ).toContain("for <grüße@postern.example>");
});
