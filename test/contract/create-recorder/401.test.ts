import { refusesWithoutCredentials } from "../support/credentials.ts";

refusesWithoutCredentials({ method: "POST", path: "/api/v1/callback" });
