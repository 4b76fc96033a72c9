import { useState } from "react";
import { Button } from "../parts/button.tsx";
import type { ShownEmail } from "./email-page.tsx";
import { MailFrame } from "./mail-frame.tsx";

/** What a mail says: its HTML, shut in a frame, or its text. */
export function MessageBody({ email }: { email: ShownEmail }) {
  const [isText, setIsText] = useState(email.html === null);
  const { html, text, attachments } = email;
  if (html === null && text === null)
    return <p className="empty">The message is being read. It appears in a moment.</p>;
  return (
    <section className="message" aria-label="Message">
      {html !== null && (
        <div className="message-choice">
          <Button look="quiet" onPress={() => setIsText(!isText)}>
            {isText ? "Show it as it was designed" : "Show only the text"}
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
