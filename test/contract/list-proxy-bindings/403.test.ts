import { refusesForeignTokens } from "../support/credentials.ts";

refusesForeignTokens({ method: "GET", path: "/api/v1/proxy-bindings" });
