import { expectBindingNotFound } from "../support/expect-binding-not-found.ts";

expectBindingNotFound("GET");
