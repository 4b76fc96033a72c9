import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { bindingsOf, bindingsPath, createBinding, freshName, madeBinding } from "../support/bindings.ts";
import { errorDocument } from "../support/documents.ts";

test("somebody else's address, present or released, in any case", async () => {
  const [anna, bert] = await Promise.all([newAccount("anna"), newAccount("bert")]);
  const name = freshName();
  const { id } = await madeBinding(anna, { proxy_address: `${name}@postern.localhost` });
  const before = await bindingsOf(bert);
  const taken = errorDocument("AddressTaken", "bindings", "This proxy address is taken.");
  const expectTaken = async () => {
    for (const proxy_address of [`${name}@postern.localhost`, `${name.toUpperCase()}@Postern.Localhost`]) {
      const { status, body } = await createBinding(bert, { proxy_address });
      expect(status).toBe(409);
      expect(body).toEqual(taken);
    }
  };
  await expectTaken();
  expect((await anna.ask("DELETE", `${bindingsPath}/${id}`)).status).toBe(204);
  await expectTaken();
  expect(await bindingsOf(bert)).toEqual(before);
});

test("of two who choose one address at once, one gets it", async () => {
  const people = await Promise.all([newAccount("anna"), newAccount("bert")]);
  const proxy_address = `${freshName()}@postern.localhost`;
  const answers = await Promise.all(people.map((account) => createBinding(account, { proxy_address })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});
