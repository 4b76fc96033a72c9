import { Inbox } from "lucide-react";
import { Link } from "wouter";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** The email of all addresses. */
export function InboxPage() {
  const { navigation, shell: t } = useTexts();
  return (
    <Page title={navigation.inbox}>
      <EmptyState
        icon={Inbox}
        title={t.chooseAddress}
        action={
          <Link href="/" className="button button-plain">
            {navigation.addresses}
          </Link>
        }
      >
        {t.chooseAddressInbox}
      </EmptyState>
    </Page>
  );
}
