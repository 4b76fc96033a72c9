import { useState } from "react";
import { ViewTabs } from "../parts/view-tabs.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";
import { MailFrame } from "./mail-frame.tsx";
import { MessageText } from "./message-text.tsx";

/** What a mail says: its HTML, shut in a frame, or its text in the application's own font and theme. */
export function MessageBody({ email }: { email: ShownEmail }) {
  const { text, attachments, binding } = email;
  const { email: t } = useTexts();
  // Of mail that is text alone the graph makes HTML, which shows no more.
  const html = email.isHtml && !isBlank(email.html) ? email.html : null;
  const [isText, setIsText] = useState(html === null);
  if (email.html === null && text === null)
    return <p className="empty">{binding?.isBrowsable === false ? t.notStored : t.reading}</p>;
  return (
    <section className="message" aria-label={t.message}>
      {html !== null && (
        <ViewTabs
          name={t.format}
          views={[
            { id: "html", name: t.showHtml },
            { id: "text", name: t.showText },
          ]}
          current={isText ? "text" : "html"}
          onChange={(id) => setIsText(id === "text")}
        />
      )}
      {isText || html === null ? <TextOrNone text={text} /> : <MailFrame html={html} attachments={attachments ?? []} />}
    </section>
  );
}

function TextOrNone({ text }: { text: string | null }) {
  const { email: t } = useTexts();
  return text === null || isBlank(text) ? <p className="empty">{t.noText}</p> : <MessageText text={text} />;
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === "";
}
