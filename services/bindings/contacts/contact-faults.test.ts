import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newId } from "../../platform/ids.ts";
import { type BindingsUnderTest, startBindings } from "../test-support/bindings-under-test.ts";

let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings({});
});

afterAll(() => bindings.stop());

test("a contact is found to be blocked, removed, or of a binding that no longer answers, and to be well again", async () => {
  const ownerId = bindings.account();
  const { binding } = await bindings.client.create({ ownerId, realAddresses: ["me@home.example"], answers: true });
  const bindingId = binding.id;
  const { id } = await bindings.client.createContact({ ownerId, bindingId, address: "ann@shop.example" });
  const other = await bindings.client.createContact({ ownerId, bindingId, address: "bob@shop.example" });
  const faults = (...contactIds: string[]) => bindings.client.contactFaults({ contactIds });
  expect(await faults(id, other.id)).toEqual([]);
  const unknown = newId();
  expect(await faults(id, unknown)).toEqual([{ contactId: unknown, fault: "removed" }]);
  await bindings.client.updateContact({ ownerId, id, isBlocked: true });
  await bindings.client.update({ ownerId, id: bindingId, answers: false });
  expect((await faults(id, other.id)).sort((a, b) => a.fault.localeCompare(b.fault))).toEqual([
    { contactId: other.id, fault: "answers-off" },
    { contactId: id, fault: "blocked" },
  ]);
  await bindings.client.update({ ownerId, id: bindingId, answers: true });
  await bindings.client.updateContact({ ownerId, id, isBlocked: false });
  expect(await faults(id, other.id)).toEqual([]);
  await bindings.client.deleteContact({ ownerId, id });
  await bindings.client.remove({ ownerId, id: bindingId });
  expect(await faults(id, other.id)).toEqual([id, other.id].map((contactId) => ({ contactId, fault: "removed" })));
});
