import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";
import { MailFrame } from "./mail-frame.tsx";

/** What a mail says: its HTML, shut in a frame, or its text. */
export function MessageBody({ email: { html, text, attachments } }: { email: ShownEmail }) {
  const { email: t } = useTexts();
  const [isText, setIsText] = useState(html === null);
  if (html === null && text === null) return <p className="empty">{t.reading}</p>;
  return (
    <section className="message" aria-label={t.message}>
      {html !== null && (
        <div className="message-choice">
          <Button look="quiet" onPress={() => setIsText(!isText)}>
            {isText ? t.showHtml : t.showText}
          </Button>
        </div>
      )}
      {isText || html === null ? (
        <pre className="card message-text">{text}</pre>
      ) : (
        <MailFrame html={html} attachments={attachments ?? []} />
      )}
    </section>
  );
}
