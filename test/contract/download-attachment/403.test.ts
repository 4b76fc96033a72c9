import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { attachmentLink } from "../support/attachments.ts";
import { errorDocument } from "../support/documents.ts";

test("a link of which anything was changed", async () => {
  const anna = await newAccount("anna");
  const [mine, other] = [await attachmentLink(anna), await attachmentLink(anna)];
  const { path } = mine;
  const [bare = ""] = path.split("?");
  const changed = [
    bare,
    `${bare}?expires=&signature=`,
    path.replace(/expires=\d/, "expires=9"),
    path.replace(/expires=\d+/, "expires=99999999999999999999"),
    path.replace(/expires=(\d+)/, "expires=$1%20"),
    path.replace(/signature=./, (start) => (start.endsWith("A") ? "signature=B" : "signature=A")),
    path.replace(/signature=.*/, `signature=${"A".repeat(10_000)}`),
    path.replace(/&signature=.*/, ""),
    path.replace("/0?", "/1?"),
    path.replace(mine.emailId, other.emailId),
    path.replace(mine.emailId, "%00"),
    path.replace(mine.emailId, mine.emailId.toUpperCase()),
  ].filter((each) => each !== path);
  for (const each of changed) {
    const answer = await ask({ method: "GET", path: each });
    expect([each, answer.status]).toEqual([each, 403]);
    expect(answer.body).toEqual(errorDocument("Forbidden", "mailbox"));
  }
});
