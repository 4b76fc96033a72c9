import { bindingsPath } from "../support/bindings.ts";
import { refusesWithoutCredentials } from "../support/credentials.ts";

refusesWithoutCredentials({ method: "POST", path: bindingsPath });
