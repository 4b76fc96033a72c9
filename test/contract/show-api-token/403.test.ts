import { refusesWithoutSecondFactor } from "../support/credentials.ts";

refusesWithoutSecondFactor({ method: "GET", path: "/api/v1/api-token" }, "auth");
