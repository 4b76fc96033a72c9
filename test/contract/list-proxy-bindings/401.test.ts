import { refusesWithoutCredentials } from "../support/credentials.ts";

refusesWithoutCredentials({ method: "GET", path: "/api/v1/proxy-bindings" });
