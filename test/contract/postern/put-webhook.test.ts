import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { askGraph, madeKey } from "../support/api-keys.ts";
import { madeBinding } from "../support/bindings.ts";
import { contractInstallation } from "../support/installation.ts";
import { madeRecorder, recorderPath } from "../support/recorders.ts";

const path = "/api/postern/v1/webhook";

const shown =
  "{ accountWebhook { calls { nodes { id kind bindingId state attempts { status exchange { requestBytes } } } } } }";

let anna: TestAccount;
beforeAll(async () => {
  anna = await newAccount("anna");
});

test("201, then 200 with the same; what happens is sent to the URL", async () => {
  const { url } = await contractInstallation();
  const hash = await madeRecorder(anna);
  const body = { url: `${url}${recorderPath}/call/${hash}`, kinds: ["address.made"] };
  const first = await anna.ask("PUT", path, body);
  const again = await anna.ask("PUT", path, body);
  const data = { ...body, bindingIds: [], off: null };
  expect([first.status, again.status]).toEqual([201, 200]);
  expect([first.body["data"], again.body["data"]]).toEqual([data, data]);
  const { id, proxyAddress } = await madeBinding(anna);
  const { body: recording } = await eventually(async () => {
    const answer = await anna.ask("GET", `${recorderPath}/get/${hash}`);
    expect(answer.body["is_received"]).toBe(true);
    return answer;
  });
  const event = { kind: "address.made", bindingId: id, address: proxyAddress, emailId: null, outcome: null };
  expect(recording["payload"]).toMatchObject(event);
  const tested = await askGraph("mutation { testAccountWebhook { isSuccess status } }", {}, { token: anna.token });
  expect(tested.data["testAccountWebhook"]).toEqual({ isSuccess: true, status: 200 });
  const calls = await eventually(async () => {
    const { data } = await askGraph(shown, {}, { token: anna.token });
    expect(data["accountWebhook"]?.["calls"]?.["nodes"]).toMatchObject([{ state: "delivered" }]);
    return data["accountWebhook"]?.["calls"];
  });
  expect(calls).toMatchObject({ nodes: [{ kind: "address.made", bindingId: id, attempts: [{ status: 200 }] }] });
});

test("422 for what is no URL, reaches what callbacks may not, or names no kind, and nothing is set", async () => {
  const bert = await newAccount("bert");
  for (const body of [{ url: "x" }, { url: "http://10.0.0.1/" }, { url: "https://x.example/", kinds: ["all"] }, {}])
    expect([body, (await bert.ask("PUT", path, body)).status]).toEqual([body, 422]);
  expect((await bert.ask("GET", path)).status).toBe(404);
});

test("a key needs admin, and is bound to nothing", async () => {
  const keys = await Promise.all([
    madeKey(anna, { scopes: ["mail:read", "alias:write"] }),
    madeKey(anna, { scopes: ["admin"], targetIds: [anna.username] }),
    madeKey(anna, { scopes: ["admin"] }),
  ]);
  const statuses = async (method: string, body?: unknown) =>
    Promise.all(keys.map(async (key) => (await key.ask(method, path, body)).status));
  expect(await statuses("PUT", { url: "https://hook.example/" })).toEqual([403, 403, 200]);
  expect(await statuses("DELETE")).toEqual([403, 403, 204]);
});
