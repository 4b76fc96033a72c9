import { ChevronDown, ChevronLeft, ChevronUp } from "lucide-react";
import { Link } from "wouter";
import { isAt, usePlaces } from "../shell/places.ts";
import { useTexts } from "../texts/texts.tsx";
import { useCameFrom } from "./came-from.ts";
import type { ShownEmail } from "./email-page.tsx";

/** Back to the list that it was opened from, and to the emails beside this one. */
export function EmailNavigation({ email: { recipient, binding, newerId, olderId } }: { email: ShownEmail }) {
  const { email: t, navigation } = useTexts();
  const cameFrom = useCameFrom();
  const { from } = cameFrom;
  const path = from.replace(/\?.*/, "");
  const place = usePlaces().find((each) => isAt(each, path));
  // The emails beside one of an address may be of other addresses.
  const name = binding && path === `/addresses/${binding.id}` ? recipient : navigation[place?.name ?? "inbox"];
  return (
    <nav className="email-navigation" aria-label={t.otherEmails}>
      <Link href={from} className="crumb">
        <ChevronLeft className="icon" aria-hidden="true" />
        {name}
      </Link>
      {newerId && (
        <Link href={`/emails/${newerId}`} state={cameFrom} className="button button-quiet" aria-label={t.newer}>
          <ChevronUp className="icon" aria-hidden="true" />
        </Link>
      )}
      {olderId && (
        <Link href={`/emails/${olderId}`} state={cameFrom} className="button button-quiet" aria-label={t.older}>
          <ChevronDown className="icon" aria-hidden="true" />
        </Link>
      )}
    </nav>
  );
}
