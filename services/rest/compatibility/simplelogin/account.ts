import { z } from "zod";
import { respond } from "../../http/endpoint.ts";
import { Count } from "../../http/schemas.ts";
import { simpleLogin } from "../endpoint.ts";
import { IntegerId } from "./alias.ts";
import { domainsOf } from "./new-alias.ts";

const UserInfo = z
  .object({
    name: z.string(),
    email: z.string(),
    is_premium: z.boolean(),
    in_trial: z.boolean(),
    profile_picture_url: z.null(),
    max_alias_free_plan: Count,
    connected_proton_address: z.null(),
    can_create_reverse_alias: z.boolean(),
  })
  .meta({ id: "SimpleLoginUser" });

const showUserInfo = simpleLogin({
  name: "showUserInfo",
  summary: "Show the account of the key, as SimpleLogin does",
  method: "GET",
  path: "/api/user_info",
  scope: "alias:read",
  responses: { 200: UserInfo },
  async handle({ services, caller }) {
    const { available } = await services.bindings.list({ ownerId: caller.accountId, first: 1 });
    return respond(200, {
      name: caller.username,
      email: caller.username,
      is_premium: true,
      in_trial: false,
      profile_picture_url: null,
      max_alias_free_plan: available,
      connected_proton_address: null,
      can_create_reverse_alias: true,
    });
  },
});

const Mailbox = z.object({
  id: IntegerId,
  email: z.string(),
  default: z.boolean(),
  verified: z.boolean(),
  nb_alias: Count,
  creation_timestamp: z.int(),
});

const listMailboxes = simpleLogin({
  name: "listMailboxes",
  summary: "List the real addresses that the account's proxy addresses lead to",
  method: "GET",
  path: "/api/v2/mailboxes",
  scope: "alias:read",
  responses: { 200: z.object({ mailboxes: z.array(Mailbox) }).meta({ id: "SimpleLoginMailboxes" }) },
  async handle({ services, caller }) {
    const [targets, [account]] = await Promise.all([
      services.bindings.targets({ ownerId: caller.accountId }),
      services.auth.accounts({ ids: [caller.accountId] }),
    ]);
    const creation_timestamp = Math.floor(Date.parse(account?.createdAt ?? new Date().toISOString()) / 1000);
    const mailboxes = targets.map(({ number, address, isOwn, isVerified, bindings }) => ({
      id: number,
      email: address,
      default: isOwn,
      verified: isVerified,
      nb_alias: bindings,
      creation_timestamp,
    }));
    return respond(200, { mailboxes });
  },
});

const Setting = z
  .object({
    notification: z.boolean(),
    alias_generator: z.enum(["word", "uuid"]),
    random_alias_default_domain: z.string(),
    sender_format: z.string(),
    random_alias_suffix: z.string(),
  })
  .meta({ id: "SimpleLoginSetting" });

const showSetting = simpleLogin({
  name: "showSetting",
  summary: "Show the settings that programs of SimpleLogin ask for; they are always the same",
  method: "GET",
  path: "/api/setting",
  scope: "alias:read",
  responses: { 200: Setting },
  handle: async ({ services, caller }) =>
    respond(200, {
      notification: false,
      alias_generator: "word",
      random_alias_default_domain: caller.key?.domain ?? services.serviceDomain,
      sender_format: "AT",
      random_alias_suffix: "word",
    }),
});

const listSettingDomains = simpleLogin({
  name: "listSettingDomains",
  summary: "List the domains that addresses can be made on",
  method: "GET",
  path: "/api/v2/setting/domains",
  scope: "alias:read",
  responses: {
    200: z.array(z.object({ domain: z.string(), is_custom: z.boolean() })).meta({ id: "SimpleLoginDomains" }),
  },
  handle: async ({ services, caller }) =>
    respond(
      200,
      (await domainsOf(services, caller)).map(({ name, isOwn }) => ({ domain: name, is_custom: isOwn })),
    ),
});

export const accountEndpoints = [showUserInfo, listMailboxes, showSetting, listSettingDomains] as const;
