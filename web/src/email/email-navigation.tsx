import { ChevronDown, ChevronLeft, ChevronUp } from "lucide-react";
import { Link } from "wouter";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";

/** Back to the inbox, and to the emails beside this one. */
export function EmailNavigation({ email: { newerId, olderId } }: { email: ShownEmail }) {
  const { email: t, navigation } = useTexts();
  return (
    <nav className="email-navigation" aria-label={t.otherEmails}>
      <Link href="/inbox" className="crumb">
        <ChevronLeft className="icon" aria-hidden="true" />
        {navigation.inbox}
      </Link>
      {newerId && (
        <Link href={`/emails/${newerId}`} className="button button-quiet" aria-label={t.newer}>
          <ChevronUp className="icon" aria-hidden="true" />
        </Link>
      )}
      {olderId && (
        <Link href={`/emails/${olderId}`} className="button button-quiet" aria-label={t.older}>
          <ChevronDown className="icon" aria-hidden="true" />
        </Link>
      )}
    </nav>
  );
}
