import { bindingBody, bindingsPath } from "../support/bindings.ts";
import { unavailable } from "../support/outages.ts";

unavailable(() => ({ method: "POST", path: bindingsPath, body: bindingBody({}) }));
