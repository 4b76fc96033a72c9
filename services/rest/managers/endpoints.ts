import type { Endpoint } from "../http/endpoint.ts";
import { addyEndpoints } from "./addy.ts";
import { accountEndpoints } from "./simplelogin-account.ts";
import { aliasEndpoints } from "./simplelogin-aliases.ts";
import { contactEndpoints } from "./simplelogin-contacts.ts";
import { makingEndpoints } from "./simplelogin-making.ts";

/** What password managers, and SimpleLogin's own programs, call. */
export const managerEndpoints: readonly Endpoint[] = [
  ...addyEndpoints,
  ...makingEndpoints,
  ...aliasEndpoints,
  ...accountEndpoints,
  ...contactEndpoints,
];
