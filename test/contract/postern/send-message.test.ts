import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http/rest-client.ts";
import { sendMail } from "../../support/mail/send-mail.ts";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { type Answer, askAt } from "../support/ask.ts";
import { type Made, madeBinding } from "../support/bindings.ts";
import { refusesWithoutCredentials } from "../support/credentials.ts";
import { errorDocument } from "../support/documents.ts";
import { contractInstallation } from "../support/installation.ts";

const path = "/api/postern/v1/messages";

let anna: TestAccount;
let shop: Made;
beforeAll(async () => {
  anna = await newAccount("anna");
  shop = await madeBinding(anna, { is_browsable: true });
});

refusesWithoutCredentials({ method: "POST", path });

const send = async (body: object, key?: string): Promise<Answer> => {
  const { url } = await contractInstallation();
  const headers = { Token: anna.token, ...(key === undefined ? {} : { "Idempotency-Key": key }) };
  return askAt(url, { method: "POST", path, headers, body: { from: shop.proxyAddress, ...body } });
};

async function graph(query: string, variables: object): Promise<string> {
  const { url } = await contractInstallation();
  return (await call(`${url}/graphql`, "POST", { query, variables }, { token: anna.token })).text;
}

/** Somebody outside who wrote to the binding. */
async function written(address: string): Promise<string> {
  const { smtpPort } = await contractInstallation();
  await graph(
    "mutation ($id: ID!) { updateProxyBinding(id: $id, input: { answers: true }) { proxyBinding { answers } } }",
    { id: shop.id },
  );
  await sendMail(smtpPort, { from: address, to: shop.proxyAddress, subject: "Hello", text: "Hello." });
  await eventually(async () => {
    const contacts = await graph("query ($id: ID!) { proxyBinding(id: $id) { contacts { nodes { received } } } }", {
      id: shop.id,
    });
    expect(contacts).toContain('"received":1');
  });
  return address;
}

test("a first mail to a stranger is refused where the installation lets accounts answer alone", async () => {
  const answer = await send({ to: ["stranger@far.example"], subject: "Hello", text: "Hello." });
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual(errorDocument("SendingNotAllowed", "bindings"));
});

test("to a contact who wrote it is taken once for each key, and a key is good for one message", async () => {
  const to = [await written("ann@shop.example")];
  const message = {
    to,
    subject: "Your order",
    text: "It is on its way.",
    attachments: [{ filename: "a.txt", content: "YQ==" }],
  };
  const [first, again] = [await send(message, "key-1"), await send(message, "key-1")];
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(again.body).toEqual(first.body);
  const other = await send({ ...message, text: "Another." }, "key-1");
  expect([other.status, other.body["data"]?.["attributes"]?.["exception"]]).toEqual([409, "Conflict"]);
  const without = await send(message);
  expect(without.body["data"]?.["id"]).not.toBe(first.body["data"]?.["id"]);
});

test("what is wrong is named", async () => {
  const wrong: [object, string][] = [
    [{ from: "nobody@postern.localhost", to: ["a@b.example"] }, "from"],
    [{ to: [] }, "to"],
    [{ to: ["no address"] }, "to[0]"],
    [{ to: ["a@b.example"], subject: "a\r\nBcc: x@y.example" }, "subject"],
    [{ to: ["a@b.example"], attachments: [{ filename: "a", content: "%" }] }, "attachments[0].content"],
  ];
  for (const [body, member] of wrong) {
    const answer = await send(body);
    expect([member, answer.status]).toEqual([member, 422]);
    expect(String(answer.body["data"]?.["attributes"]?.["message"])).toContain(`${member}:`);
  }
});
