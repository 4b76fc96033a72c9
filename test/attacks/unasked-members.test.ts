import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newId } from "../../services/platform/ids.ts";
import { AttackedInstallation, type Owner } from "./support/accounts.ts";

// A mutation that tells of what it changed looks it up. Where that failed and nobody had asked for it, the process ended.

let attacked: AttackedInstallation;
let owner: Owner;

beforeAll(async () => {
  attacked = await AttackedInstallation.start();
  owner = await attacked.owner();
}, 200_000);
afterAll(() => attacked.dispose());

const make = "mutation { createProxyBinding { proxyBinding { id } } }";
const turnOff = "mutation ($id: ID!) { switchProxyBinding(id: $id, isEnabled: false) { isVerificationSent } }";
const remove = "mutation ($id: ID!) { deleteProxyBinding(id: $id) { id } }";

test("an account that removes an address while it is switched off ends nothing", async () => {
  for (let round = 0; round < 40; round++) {
    const { proxyBinding } = await owner.client.field(make);
    const id = String(proxyBinding?.["id"]);
    const switching = Array.from({ length: 8 }, () => owner.client.kindOf(turnOff, { id }));
    const kinds = await Promise.all([...switching, owner.client.kindOf(remove, { id })]);
    for (const kind of kinds) expect(["done", "NotFound"]).toContain(kind);
  }
  expect(await owner.client.kindOf("{ me { id } }")).toBe("done");
});

test("an operator who disables an account that is not there is told so, and ends nothing", async () => {
  await attacked.operator.setOperator({ username: owner.username, isOperator: true });
  const disable = "mutation ($id: ID!) { setAccountDisabled(id: $id, isDisabled: true) { __typename } }";
  expect(await owner.client.kindOf(disable, { id: newId() })).toBe("NotFound");
  expect(await owner.client.kindOf("{ me { id } }")).toBe("done");
});
