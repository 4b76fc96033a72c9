import { bindingBody, bindingsPath } from "../support/bindings.ts";
import { unavailable } from "../support/outages.ts";

unavailable(({ bindingId }) => ({
  method: "PATCH",
  path: `${bindingsPath}/${bindingId}`,
  body: bindingBody({ description: "x" }),
}));
