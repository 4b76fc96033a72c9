import { ExternalLink } from "lucide-react";
import { CopyButton } from "../parts/copy-button.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";

/** What a link that confirms something usually has in it. */
const confirming = /confirm|verif|activat|magic|reset|token|sign-?in|log-?in|best(?:ae|ä)tig/i;
const mostCodes = 3;
const mostLinks = 2;

/** One-time codes and links that confirm something: what one opened the mail for. */
export function CodesAndLinks({ email: { codes, links } }: { email: ShownEmail }) {
  const { email: t } = useTexts();
  const shownCodes = (codes ?? []).slice(0, mostCodes);
  const shownLinks = (links ?? []).filter((link) => confirming.test(link)).slice(0, mostLinks);
  if (shownCodes.length + shownLinks.length === 0) return null;
  return (
    <section className="codes-and-links" aria-label={t.codesAndLinks}>
      {shownCodes.map((code) => (
        <div key={code} className="extracted-code">
          <span className="label">{t.code}</span> <code>{code}</code>
          <CopyButton text={code} what={code} />
        </div>
      ))}
      {shownLinks.map((link) => (
        <a
          key={link}
          className="button button-plain extracted-link"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t.openLink(new URL(link).host)}
          <ExternalLink className="icon" aria-hidden="true" />
        </a>
      ))}
    </section>
  );
}
