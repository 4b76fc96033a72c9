import type { Endpoint } from "../http/endpoint.ts";
import { addyEndpoints } from "./addy/aliases.ts";
import { accountEndpoints } from "./simplelogin/account.ts";
import { aliasEndpoints } from "./simplelogin/aliases.ts";
import { contactEndpoints } from "./simplelogin/contacts.ts";
import { newAliasEndpoints } from "./simplelogin/new-alias.ts";

/** The APIs of other services: what password managers call, and SimpleLogin's own programs. */
export const compatibilityEndpoints: readonly Endpoint[] = [
  ...addyEndpoints,
  ...newAliasEndpoints,
  ...aliasEndpoints,
  ...accountEndpoints,
  ...contactEndpoints,
];
