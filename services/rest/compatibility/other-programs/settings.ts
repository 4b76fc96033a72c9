import { z } from "zod";
import { wellFormedText } from "../../http/schemas.ts";
import { dashboardEndpoint } from "./dashboard-endpoint.ts";

const Setting = z.object({ key: wellFormedText("a string"), value: wellFormedText("a string") });

const listSettings = dashboardEndpoint({
  name: "listSettings",
  summary: "Show what programs keep with the account",
  method: "GET",
  path: "/gapi/settings",
  scope: "admin",
  shows: z.array(Setting),
  handle: ({ services, caller }) => services.auth.settings({ accountId: caller.accountId }),
});

const updateSettings = dashboardEndpoint({
  name: "updateSettings",
  summary: "Add or change some of it; 100 keys of 1,000 bytes at most",
  method: "PATCH",
  path: "/gapi/settings/update",
  scope: "admin",
  body: z.object(
    { settings: z.array(Setting, { error: "expected an array" }).max(1_000) },
    { error: "expected an object" },
  ),
  shows: z.array(Setting),
  handle: ({ services, caller, body }) =>
    services.auth.changeSettings({ accountId: caller.accountId, settings: body.settings }),
});

export const settingEndpoints = [listSettings, updateSettings] as const;
