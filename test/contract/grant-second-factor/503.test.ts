import { codeBody, secondFactorPath } from "../support/accounts.ts";
import { unavailableWithoutDatabase } from "../support/outages.ts";

unavailableWithoutDatabase(
  ({ bearer }) => ({
    method: "POST",
    path: secondFactorPath,
    headers: { authorization: `Bearer ${bearer}` },
    body: codeBody("123456"),
  }),
  "auth",
);
