import { expect, test } from "@jest/globals";
import { PasswordPolicy } from "./password-policy.ts";

const policy = new PasswordPolicy("postern");
const username = "jane.doe@tea-shop.example";
const refused = { kind: "ValidationFailed", fieldFault: { field: "password" } };

test.each(["", "short", "seven77", "ｓｅｖｅｎ77", "😀😀😀😀😀😀😀"])("%j is too short", async (password) => {
  await expect(policy.check(password, username)).rejects.toMatchObject({
    ...refused,
    fieldFault: { field: "password", fault: expect.stringContaining("at least 8") },
  });
});

test.each([
  "password1",
  "P@ssw0rd",
  "12345678",
  "qwertyuiop",
  "aaaaaaaaaaaa",
  "abcdefghij",
  "iloveyou2",
  "1q2w3e4r5t",
  "01011990",
  "passwordpassword",
])("%j is common, or a pattern that everybody tries", async (password) => {
  await expect(policy.check(password, username)).rejects.toMatchObject(refused);
});

test.each(["jane.doe@tea-shop.example", "janedoe1", "tea-shop", "Tea-Shop.example", "postern1", "eodenaj1"])(
  "%j is made of the account's own names",
  async (password) => {
    await expect(policy.check(password, username)).rejects.toMatchObject(refused);
  },
);

test.each(["four words in a row", "Tr0ub4dor&3", "kX9#mQ2wLp", "günther fährt übers wasser", "😀🐎🔋📎🌵🎺🧭🪐"])(
  "%j is taken",
  async (password) => {
    await expect(policy.check(password, username)).resolves.toBeUndefined();
  },
);

test("no more of a password is looked at than costs little, however long and odd it is", async () => {
  const hostile = [
    "4@8({[<369&#!1|/0$5+7%2",
    "p@$$w0rd1l0v3y0u",
    "qwertyuiop[]asdfghjkl",
    "0123456789",
    "1.1.2001",
    "\u0301",
  ];
  for (const piece of hostile) {
    const long = piece.repeat(200_000 / piece.length);
    // Assessed by its beginning: what follows changes nothing.
    expect(await policy.isGuessable(long, username)).toBe(await policy.isGuessable(long.slice(0, 400), username));
  }
});
