import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { asSuperuser } from "../support/peers/database.ts";
import { type Operator, operator } from "./support/operator.ts";

let own: Operator;
beforeAll(async () => {
  own = await operator();
});
afterAll(() => own.dispose());

test("whoever has lost every factor is let in by an operator", async () => {
  const { id } = await own.json("account add locked-out@example.org");
  await asSuperuser(
    own.databaseUrl,
    `insert into auth.second_factor (account_id, sealed, confirmed_at) values ($1, '', now())`,
    [id],
  );
  const reset = "account reset-second-factor LOCKED-out@example.org";
  expect(await own.json(`${reset} --passkeys`)).toMatchObject({
    id,
    username: "locked-out@example.org",
    hadSecondFactor: true,
    removedPasskeys: 0,
  });
  expect(await own.admin(reset)).toEqual({
    exitCode: 0,
    answer: `locked-out@example.org (${id}): There was no second factor, and ended all sessions.\n`,
    complaint: "",
  });
  expect(await own.admin("account reset-second-factor nobody")).toEqual({
    exitCode: 1,
    answer: "",
    complaint: "There is no such account.\n",
  });
});
