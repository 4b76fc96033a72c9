import type { Texts } from "../english/index.ts";
import { addresses, answering, contacts } from "./address-list.tsx";
import { binding, board, inbox, testEndpoints } from "./addresses.tsx";
import { apiKeys } from "./api-keys.tsx";
import { charts } from "./charts.ts";
import { common, errors } from "./common.tsx";
import { domains } from "./domains.tsx";
import { email } from "./email.tsx";
import { imports } from "./imports.tsx";
import { mail } from "./mail.tsx";
import { navigation, notFound, tryIt } from "./navigation.tsx";
import { notices } from "./notices.ts";
import { operator } from "./operator.tsx";
import { passkeys, proof } from "./passkeys.tsx";
import { rules } from "./rules.tsx";
import { session } from "./session.tsx";
import { settings } from "./settings.tsx";
import { shell } from "./shell.ts";
import { webhooks } from "./webhooks.tsx";

export const german: Texts = {
  common,
  errors,
  navigation,
  notFound,
  tryIt,
  session,
  proof,
  passkeys,
  board,
  binding,
  inbox,
  testEndpoints,
  email,
  mail,
  settings,
  apiKeys,
  domains,
  shell,
  addresses,
  answering,
  contacts,
  rules,
  charts,
  webhooks,
  imports,
  operator,
  notices,
};
