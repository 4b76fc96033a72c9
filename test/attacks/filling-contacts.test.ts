import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { AnsweringOwner } from "../support/mail/answering-owner.ts";
import { asSuperuser } from "../support/peers/database.ts";

// Who writes from ever new addresses, and names ever new ones, makes contacts of an account: these have a bound, and all mail is forwarded.

const quota = 100;
const perMessage = 50;

let owner: AnsweringOwner;
beforeAll(async () => {
  owner = await AnsweringOwner.start({ QUOTA_CONTACTS: String(quota) });
});
afterAll(() => owner.dispose());

/** The addresses of contacts, and how often they wrote. */
async function contacts() {
  return asSuperuser<{ address: string; received: number }>(
    await owner.installation.databaseUrl(),
    "select address, received::integer from bindings.contact order by id",
    [],
  );
}

const addresses = async () => (await contacts()).map(({ address }) => address);

test("a stranger's ever new addresses replace each other, and no contact that was answered, nor any of another address", async () => {
  const [{ proxyAddress }, other] = [await owner.binding(), await owner.binding()];
  await owner.forwarded(other.proxyAddress, ["From: friend@shop.example"]);
  const ann = owner.reverseIn(await owner.forwarded(proxyAddress, ["From: ann@shop.example"]));
  expect(await owner.answer(ann, { header: [`To: ${ann}`] })).toMatch(/^250/);
  await owner.left(({ envelopeTo }) => envelopeTo === "ann@shop.example");
  await owner.forwarded(proxyAddress, ["From: wrote@shop.example"]);
  await eventually(async () =>
    expect((await contacts()).filter(({ received }) => received === 1).map(({ address }) => address)).toEqual([
      "friend@shop.example",
      "ann@shop.example",
      "wrote@shop.example",
    ]),
  );
  for (let number = 0; number < 8; number += 1) {
    const named = Array.from({ length: perMessage }, (_, at) => `n${number}-${at}@stranger.example`);
    const header = [`From: s${number}@stranger.example`, `Cc: ${named.join(",\r\n ")}`];
    // In each forward the author can be answered, and others as far as there may be new ones.
    const message = await owner.forwarded(proxyAddress, header);
    expect(owner.reverseIn(message)).toMatch(/^re\+/);
    expect(message.match(/<re\+/g)).toHaveLength(perMessage);
    expect((await addresses()).length).toBeLessThanOrEqual(quota + perMessage + 1);
  }
  const kept = await addresses();
  for (const name of ["friend", "ann", "wrote"]) expect(kept).toContain(`${name}@shop.example`);
  expect(kept).toContain("n7-0@stranger.example");
  expect(kept).not.toContain("n1-0@stranger.example");
});

test("a flood of authors at an address pushes out none of its contacts from before, and the mail of each is forwarded", async () => {
  const { proxyAddress } = await owner.binding();
  const before = ["one@shop.example", "two@club.example", "three@bank.example"];
  for (const address of before) await owner.forwarded(proxyAddress, [`From: ${address}`]);
  const isCounted = async () =>
    expect((await contacts()).filter(({ address, received }) => before.includes(address) && received > 0)).toHaveLength(
      3,
    );
  await eventually(isCounted);
  const write = async (number: number) => {
    // Half of them at ever new names below one domain, the others at domains of their own.
    const domain = number % 2 === 0 ? `n${number}.stranger.example` : `stranger${number}.example`;
    expect(owner.reverseIn(await owner.forwarded(proxyAddress, [`From: s${number}@${domain}`]))).toMatch(/^re\+/);
  };
  let written = 0;
  const flood = async () => {
    await Promise.all(Array.from({ length: 10 }, (_, at) => write(written + at)));
    written += 10;
  };
  const isRoomMade = async () => (await addresses()).filter((address) => /^s\d+@/.test(address)).length < written;
  // Until strangers make room for each other, and for longer.
  while (written < 2_000 && !(written > quota && (await isRoomMade()))) await flood();
  for (let round = 0; round < 5; round += 1) await flood();
  expect(await isRoomMade()).toBe(true);
  await isCounted();
});
