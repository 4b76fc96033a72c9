import { refusesForeignTokens } from "../support/credentials.ts";
import { recorderPath } from "../support/recorders.ts";

refusesForeignTokens({ method: "DELETE", path: `${recorderPath}/${"0".repeat(32)}` });
