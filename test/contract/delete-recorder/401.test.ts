import { refusesWithoutCredentials } from "../support/credentials.ts";
import { recorderPath } from "../support/recorders.ts";

refusesWithoutCredentials({ method: "DELETE", path: `${recorderPath}/${"0".repeat(32)}` });
