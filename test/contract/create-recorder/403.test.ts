import { refusesForeignTokens } from "../support/credentials.ts";

refusesForeignTokens({ method: "POST", path: "/api/v1/callback" });
