import { unavailableWithoutDatabase } from "../support/outages.ts";
import { signInBody, signInQuestion } from "../support/people.ts";

unavailableWithoutDatabase(
  ({ account }) => ({ ...signInQuestion, body: signInBody(account.username, account.password) }),
  "auth",
);
