import { unavailableWithoutDatabase } from "../support/outages.ts";

const path = "/api/v1/api-token";

unavailableWithoutDatabase(
  ({ bearer }) => ({ method: "GET", path, headers: { authorization: `Bearer ${bearer}` } }),
  "auth",
);
