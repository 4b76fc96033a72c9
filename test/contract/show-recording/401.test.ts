import { refusesWithoutCredentials } from "../support/credentials.ts";

refusesWithoutCredentials({ method: "GET", path: "/api/v1/callback/get/00000000000000000000000000000000" });
