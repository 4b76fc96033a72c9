import { signInBody, signInQuestion } from "../support/accounts.ts";
import { unavailableWithoutDatabase } from "../support/outages.ts";

unavailableWithoutDatabase(
  ({ account }) => ({ ...signInQuestion, body: signInBody(account.username, account.password) }),
  "auth",
);
