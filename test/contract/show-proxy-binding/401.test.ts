import { bindingsPath } from "../support/bindings.ts";
import { refusesWithoutCredentials } from "../support/credentials.ts";

refusesWithoutCredentials({ method: "GET", path: `${bindingsPath}/01890000-0000-7000-8000-000000000000` });
