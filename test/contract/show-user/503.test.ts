import { unavailableWithoutDatabase } from "../support/outages.ts";

const path = "/api/v1/users/me";

unavailableWithoutDatabase(({ token }) => ({ method: "GET", path, headers: { token } }), "auth");
