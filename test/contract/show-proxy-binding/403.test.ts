import { bindingsPath } from "../support/bindings.ts";
import { refusesForeignTokens } from "../support/credentials.ts";

refusesForeignTokens({ method: "GET", path: `${bindingsPath}/01890000-0000-7000-8000-000000000000` });
