import { bindingBody } from "../support/bindings.ts";
import { expectBindingNotFound } from "../support/expect-binding-not-found.ts";

expectBindingNotFound("PATCH", bindingBody({ description: "mine now" }));
