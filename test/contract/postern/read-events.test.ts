import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { madeKey } from "../support/api-keys.ts";
import { madeBinding } from "../support/bindings.ts";
import { contractInstallation } from "../support/installation.ts";

const path = "/api/postern/v1/events";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

interface Event {
  cursor: string;
  kind: string;
  bindingId: string;
  emailId: string | null;
  address: string | null;
  outcome: string | null;
}

async function events(account: TestAccount, query = ""): Promise<Event[]> {
  const { status, headers, text } = await account.ask("GET", `${path}${query}`);
  expect([status, headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test("200 with what happened, in lines; a cursor goes on where it was", async () => {
  const { smtpPort } = await contractInstallation();
  const kept = await madeBinding(anna, { is_browsable: true });
  const forwarding = await madeBinding(anna, { real_addresses: [anna.username] });
  await sendMail(smtpPort, { to: kept.proxyAddress, subject: "Kept" });
  await sendMail(smtpPort, { to: forwarding.proxyAddress, subject: "Forwarded" });
  await eventually(async () => expect((await events(anna)).length).toBe(5));
  await anna.ask("DELETE", `/api/v1/proxy-bindings/${kept.id}`);
  await eventually(async () => expect((await events(anna)).length).toBe(6));
  const all = await events(anna);
  const shown = all.map(({ kind, bindingId, address, outcome }) => [kind, bindingId, address, outcome]);
  expect(shown.toSorted()).toEqual(
    [
      ["address.made", kept.id, kept.proxyAddress, null],
      ["address.made", forwarding.id, forwarding.proxyAddress, null],
      ["email.arrived", kept.id, null, null],
      ["email.arrived", forwarding.id, null, null],
      ["delivery.settled", forwarding.id, null, "forwarded"],
      ["address.removed", kept.id, kept.proxyAddress, null],
    ].toSorted(),
  );
  expect(all.at(-1)?.kind).toBe("address.removed");
  const [first, ...rest] = all;
  expect(await events(anna, `?after=${first?.cursor}`)).toEqual(rest);
  expect(await events(anna, `?after=${first?.cursor}&limit=2`)).toEqual(rest.slice(0, 2));
  expect(await events(anna, `?after=${all.at(-1)?.cursor}`)).toEqual([]);
});

test("422 for what is no cursor, another account's too, and for a limit out of bounds", async () => {
  const bert = await newAccount("bert");
  await madeBinding(bert);
  const [theirs] = await eventually(async () => {
    const found = await events(bert);
    expect(found.length).toBe(1);
    return found;
  });
  const forged = Buffer.from(
    `${
      Buffer.from(theirs?.cursor ?? "", "base64url")
        .toString()
        .split(" ")[0]
    } 99`,
  );
  for (const [account, query] of [
    [anna, `?after=${theirs?.cursor}`],
    [anna, "?after=x"],
    [bert, `?after=${forged.toString("base64url")}`],
    [anna, "?limit=0"],
    [anna, "?limit=1001"],
  ] as const)
    expect([query, (await account.ask("GET", `${path}${query}`)).status]).toEqual([query, 422]);
});

test("a key needs mail:read", async () => {
  const [weak, reading] = [
    await madeKey(anna, { scopes: ["alias:read"] }),
    await madeKey(anna, { scopes: ["mail:read"] }),
  ];
  expect([(await weak.ask("GET", path)).status, (await reading.ask("GET", path)).status]).toEqual([403, 200]);
});
