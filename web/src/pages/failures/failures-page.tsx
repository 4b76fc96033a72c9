import { CircleAlert } from "lucide-react";
import { Link } from "wouter";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** What could not be delivered, of all addresses. */
export function FailuresPage() {
  const { navigation, shell: t } = useTexts();
  return (
    <Page title={navigation.failures}>
      <EmptyState
        icon={CircleAlert}
        title={t.chooseAddress}
        action={
          <Link href="/" className="button button-plain">
            {navigation.addresses}
          </Link>
        }
      >
        {t.chooseAddressFailures}
      </EmptyState>
    </Page>
  );
}
