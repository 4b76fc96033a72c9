import { bindingsPath } from "../support/bindings.ts";
import { unavailable } from "../support/outages.ts";

unavailable(({ bindingId }) => ({ method: "GET", path: `${bindingsPath}/${bindingId}` }));
