import { beforeAll } from "@jest/globals";
import { madeBinding } from "../support/bindings.ts";
import { linksPath } from "../support/emails.ts";
import { looksMissing } from "../support/missing.ts";
import { newcomer, type Person } from "../support/people.ts";

let anna: Person;
let foreignId: string;
beforeAll(async () => {
  anna = await newcomer("anna");
  foreignId = (await madeBinding(await newcomer("bert"), { is_browsable: true })).id;
});

looksMissing({
  who: () => anna,
  method: "GET",
  path: (id) => `${linksPath}/${id}`,
  foreignId: () => foreignId,
  file: "bindings",
});
