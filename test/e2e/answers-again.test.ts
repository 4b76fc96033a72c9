import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AnsweringOwner } from "../support/mail/answering-owner.ts";
import { asSuperuser } from "../support/peers/database.ts";

let owner: AnsweringOwner;
beforeAll(async () => {
  owner = await AnsweringOwner.start();
});
afterAll(() => owner.dispose());

test("a responder's answer that could not be stored is taken when its server tries again, and counts once", async () => {
  const { proxyAddress } = await owner.binding();
  const forwarded = await owner.forwarded(proxyAddress, ["From: ann@shop.example", "Message-ID: <one@shop.example>"]);
  const to = owner.reverseIn(forwarded);
  const automatic = () => owner.signed({ header: [`To: ${to}`, "Auto-Submitted: auto-replied"] });
  const [first, other] = [await automatic(), await automatic()];
  const submit = async (message: Buffer) => (await owner.submit(to, message)).slice(0, 9);
  const url = await owner.installation.databaseUrl();
  await asSuperuser(url, "alter table ingress.seen_answer add constraint full_up check (false) not valid");
  const stored = await submit(first);
  await asSuperuser(url, "alter table ingress.seen_answer drop constraint full_up");
  expect(stored).toMatch(/^451 /);
  expect(await submit(first)).toBe("250 2.0.0");
  expect(await submit(other)).toBe("452 4.2.1");
});
