import { refusesWithoutCredentials } from "../support/credentials.ts";
import { removalPath } from "../support/recorders.ts";

refusesWithoutCredentials({ method: "DELETE", path: `${removalPath}/${"0".repeat(32)}` });
