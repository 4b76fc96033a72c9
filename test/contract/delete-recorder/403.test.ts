import { refusesForeignTokens } from "../support/credentials.ts";
import { removalPath } from "../support/recorders.ts";

refusesForeignTokens({ method: "DELETE", path: `${removalPath}/${"0".repeat(32)}` });
