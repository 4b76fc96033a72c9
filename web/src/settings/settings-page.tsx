import { useState } from "react";
import { ApiKeysSection } from "../api-keys/api-keys-section.tsx";
import { Page } from "../parts/page.tsx";
import { PasskeysSection } from "../passkeys/passkeys-section.tsx";
import { useTexts } from "../texts/texts.tsx";
import { ApiTokenSection } from "./api-token-section.tsx";
import { DataSection, ImportSection } from "./data-section.tsx";
import { DeleteAccountSection } from "./delete-account-section.tsx";
import { LanguageSection } from "./language-section.tsx";
import { NoticesSection } from "./notices-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SecondFactorSection } from "./second-factor-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { WebhookSecretSection } from "./webhook-secret-section.tsx";

export function SettingsPage() {
  const { settings } = useTexts();
  const [revocations, setRevocations] = useState(0);
  return (
    <Page title={settings.title}>
      <div className="sections">
        <PasswordSection onKeysRevoked={() => setRevocations(revocations + 1)} />
        <SecondFactorSection />
        <PasskeysSection />
        <SessionsSection />
        <LanguageSection />
        <NoticesSection />
        <ImportSection />
        <DataSection />
        {/* What it shows is worth nothing after a revocation. */}
        <ApiTokenSection key={revocations} />
        <ApiKeysSection />
        <WebhookSecretSection />
        <DeleteAccountSection />
      </div>
    </Page>
  );
}
