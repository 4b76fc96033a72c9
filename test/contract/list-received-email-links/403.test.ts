import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { changeBinding, madeBinding } from "../support/bindings.ts";
import { refusesForeignTokens } from "../support/credentials.ts";
import { errorDocument } from "../support/documents.ts";
import { linksPath } from "../support/emails.ts";

refusesForeignTokens({ method: "GET", path: `${linksPath}/01890000-0000-7000-8000-000000000000` });

test("an inbox that is not browsable, or no longer", async () => {
  const anna = await newAccount("anna");
  const never = await madeBinding(anna);
  const nowNot = await madeBinding(anna, { is_browsable: true });
  await changeBinding(anna, nowNot.id, { is_browsable: false });
  for (const { id } of [never, nowNot]) {
    const { status, body } = await anna.ask("GET", `${linksPath}/${id}`);
    expect(status).toBe(403);
    expect(body).toEqual(errorDocument("NotBrowsable", "mailbox"));
  }
});
