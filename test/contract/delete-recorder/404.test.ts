import { beforeAll } from "@jest/globals";
import { looksMissing } from "../support/missing.ts";
import { newcomer, type Person } from "../support/people.ts";
import { madeRecorder, removalPath } from "../support/recorders.ts";

let anna: Person;
let foreignId: string;
beforeAll(async () => {
  anna = await newcomer("anna");
  foreignId = await madeRecorder(await newcomer("bert"));
});

looksMissing({
  who: () => anna,
  method: "DELETE",
  path: (id) => `${removalPath}/${id}`,
  foreignId: () => foreignId,
  file: "webhook",
});
