import { refusesForeignTokens } from "../support/credentials.ts";

refusesForeignTokens({ method: "GET", path: "/api/v1/callback/get/00000000000000000000000000000000" });
