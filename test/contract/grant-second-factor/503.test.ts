import { unavailableWithoutDatabase } from "../support/outages.ts";
import { codeBody, secondFactorPath } from "../support/people.ts";

unavailableWithoutDatabase(
  ({ bearer }) => ({
    method: "POST",
    path: secondFactorPath,
    headers: { authorization: `Bearer ${bearer}` },
    body: codeBody("123456"),
  }),
  "auth",
);
