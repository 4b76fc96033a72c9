import { addresses } from "./addresses.tsx";
import { apiKeys } from "./api-keys.tsx";
import { answering, binding, bindingMail } from "./binding.tsx";
import { charts } from "./charts.ts";
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
import { settings } from "./settings.tsx";
import { navigation, shell } from "./shell.ts";
import { signedOutEnglish } from "./signed-out.ts";
import { webhooks } from "./webhooks.tsx";

/** Every text of the interface, by the folder that shows it. Another language has the same members: see `Texts`. */
export const english = {
  ...signedOutEnglish,
  navigation,
  notFound,
  tryIt,
  addressChoice,
  batches,
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

/** What every language has. */
export type Texts = typeof english;
