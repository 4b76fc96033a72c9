import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  type BindingsUnderTest,
  serviceDomain,
  startBindings,
} from "../../services/bindings/test-support/bindings-under-test.ts";

// Whoever holds an address of the service gets the mail that is meant for it, and may write in its name. A stranger must
// get neither somebody's subaddress nor a name that passes for the operator's, and must not reserve names by the thousand.

const claimsPerDay = 5;
let bindings: BindingsUnderTest;

beforeAll(async () => {
  bindings = await startBindings({ QUOTA_CLAIMS: String(claimsPerDay), SERVICE_NAME: "acme" });
});
afterAll(() => bindings.stop());

const at = (localPart: string) => `${localPart}@${serviceDomain}`;
const create = (ownerId: string, localPart: string) => bindings.client.create({ ownerId, proxyAddress: at(localPart) });
const taken = { kind: "AddressTaken", status: 409 };
const invalid = { kind: "ValidationFailed", status: 422 };

describe("a subaddress and its base belong to one account", () => {
  test("whoever takes alice+bank first has alice as well: nobody is given alice and loses mail to alice+bank", async () => {
    const [alice, stranger] = [bindings.account(), bindings.account()];
    const { binding } = await create(stranger, "alice+bank");
    await expect(create(alice, "alice")).rejects.toMatchObject(taken);
    await expect(create(alice, "alice+shop")).rejects.toMatchObject(taken);
    await bindings.client.remove({ ownerId: stranger, id: binding.id });
    await expect(create(alice, "Alice")).rejects.toMatchObject(taken);
    expect(await create(stranger, "alice")).toMatchObject({ isCreated: true });
  });

  test("a stranger does not get bob+bank once bob is given out, nor after bob is released", async () => {
    const [bob, stranger] = [bindings.account(), bindings.account()];
    const { binding } = await create(bob, "bob");
    for (const name of ["bob+bank", "BOB+bank", "bob+a+b"])
      await expect(create(stranger, name)).rejects.toMatchObject(taken);
    await bindings.client.remove({ ownerId: bob, id: binding.id });
    await expect(create(stranger, "bob+bank")).rejects.toMatchObject(taken);
    expect(await create(bob, "bob+bank")).toMatchObject({ isCreated: true });
  });

  test("of carol and carol+bank wanted at once by two, one gets both", async () => {
    const [carol, stranger] = [bindings.account(), bindings.account()];
    const outcomes = await Promise.allSettled([create(carol, "carol"), create(stranger, "carol+bank")]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a name that passes for the operator's is refused", () => {
  const names = [
    ...["p0stmaster", "postrnaster", "pöstmaster", "post.master", "ｐｏｓｔｍａｓｔｅｒ", "𝐩𝐨𝐬𝐭𝐦𝐚𝐬𝐭𝐞𝐫", "ⓐⓑⓤⓢⓔ"],
    ...["аdmin", "ΡΟSΤΜΑSΤΕR", "adm1n", "aclmin", "supp0rt", "$upport", "lnfo", "mailer_daemon", "no.reply", "nevvs"],
    ...["p0stmaster+case1", "ѕuрроrt", "асmе", "acme", "Acrne", "b0unce"],
  ];
  test.each(names)("%s", async (name) => {
    await expect(create(bindings.account(), name)).rejects.toMatchObject(invalid);
  });

  test.each(["раypal", "paypaІ", "αpple", "shop東京", "ᚠᚢᚦ"])(
    "and so is %s, of mixed scripts or one nobody reads",
    async (name) => {
      await expect(create(bindings.account(), name)).rejects.toMatchObject(invalid);
    },
  );

  test.each(["élan", "東京", "とうきょうタワー東京", "привет", "παραλία", "news-letter", "salesman", "a-b_c.d", "007"])(
    "yet %s is given out",
    async (name) => {
      expect(await create(bindings.account(), name)).toMatchObject({
        isCreated: true,
        binding: { proxyAddress: at(name) },
      });
    },
  );
});

test("an account reserves only so many names a day, however often it releases them; its own come back to it", async () => {
  const squatter = bindings.account();
  for (let count = 0; count < claimsPerDay; count++) {
    const { binding } = await create(squatter, `squatted${count}`);
    await bindings.client.remove({ ownerId: squatter, id: binding.id });
  }
  const refused = { kind: "QuotaExceeded", status: 403 };
  expect(await bindings.client.create({ ownerId: squatter })).toMatchObject({ isCreated: true });
  await expect(create(squatter, "onemore")).rejects.toMatchObject(refused);
  // What was refused is not reserved.
  expect(await create(bindings.account(), "onemore")).toMatchObject({ isCreated: true });
  expect(await create(squatter, "squatted0")).toMatchObject({ isCreated: true });
  await bindings.db.query("update address_claim set chosen_at = chosen_at - interval '1 day'");
  expect(await create(squatter, "nextday")).toMatchObject({ isCreated: true });
});

test("the domain is shown in lower case, whatever was asked for; the local part keeps its spelling", async () => {
  const proxyAddress = `My.Shop@${serviceDomain.toUpperCase()}`;
  const { binding } = await bindings.client.create({ ownerId: bindings.account(), proxyAddress });
  expect(binding.proxyAddress).toBe(`My.Shop@${serviceDomain}`);
});
