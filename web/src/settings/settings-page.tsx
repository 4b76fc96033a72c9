import { Page } from "../parts/page.tsx";
import { PasskeysSection } from "../passkeys/passkeys-section.tsx";
import { ApiTokenSection } from "./api-token-section.tsx";
import { DataSection } from "./data-section.tsx";
import { DeleteAccountSection } from "./delete-account-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SecondFactorSection } from "./second-factor-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { WebhookSecretSection } from "./webhook-secret-section.tsx";

export function SettingsPage() {
  return (
    <Page title="Settings">
      <div className="sections">
        <ApiTokenSection />
        <WebhookSecretSection />
        <SecondFactorSection />
        <PasskeysSection />
        <PasswordSection />
        <SessionsSection />
        <DataSection />
        <DeleteAccountSection />
      </div>
    </Page>
  );
}
