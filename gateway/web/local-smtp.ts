import type { Settings } from "../../services/platform/runtime/settings.ts";

/**
 * Where to hand a mail to try to, when other people's mail servers cannot find the service's domain: names under `localhost`
 * exist on the machine itself alone (RFC 6761 section 6.3). Null where a mail from anywhere arrives.
 */
export function localSmtpUrl({ SERVICE_DOMAIN }: Pick<Settings, "SERVICE_DOMAIN">, smtpPort: number): string | null {
  return SERVICE_DOMAIN.endsWith(".localhost") ? `smtp://127.0.0.1:${smtpPort}` : null;
}
