import { bindingsPath } from "../support/bindings.ts";
import { unavailable } from "../support/outages.ts";

unavailable(({ bindingId }) => ({ method: "DELETE", path: `${bindingsPath}/${bindingId}` }));
