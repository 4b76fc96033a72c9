import type { Texts } from "../english/index.ts";
import { addresses } from "./addresses.tsx";
import { apiKeys } from "./api-keys.tsx";
import { answering, binding, bindingMail } from "./binding.tsx";
import { charts } from "./charts.ts";
import { common, errors } from "./common.tsx";
import { contacts } from "./contacts.tsx";
import { domains } from "./domains.tsx";
import { email } from "./email.tsx";
import { failures } from "./failures.ts";
import { imports } from "./imports.tsx";
import { inbox } from "./inbox.tsx";
import { notFound } from "./not-found.ts";
import { notices } from "./notices.ts";
import { operator } from "./operator.tsx";
import { addressChoice, batches, tryIt } from "./parts.tsx";
import { passkeys } from "./passkeys.tsx";
import { proof } from "./proof.ts";
import { recorders } from "./recorders.tsx";
import { rules } from "./rules.tsx";
import { session } from "./session.tsx";
import { settings } from "./settings.tsx";
import { navigation, shell } from "./shell.ts";
import { webhooks } from "./webhooks.tsx";

export const german: Texts = {
  common,
  errors,
  navigation,
  notFound,
  tryIt,
  addressChoice,
  batches,
  session,
  proof,
  passkeys,
  binding,
  bindingMail,
  answering,
  inbox,
  recorders,
  email,
  failures,
  settings,
  apiKeys,
  domains,
  shell,
  addresses,
  contacts,
  rules,
  charts,
  webhooks,
  imports,
  operator,
  notices,
};
