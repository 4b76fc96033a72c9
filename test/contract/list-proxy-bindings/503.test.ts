import { bindingsPath } from "../support/bindings.ts";
import { unavailable } from "../support/outages.ts";

unavailable(() => ({ method: "GET", path: bindingsPath }));
