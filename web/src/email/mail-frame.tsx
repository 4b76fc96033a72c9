import { useEffect, useRef, useState } from "react";
import { Button } from "../parts/button.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";
import { fitMail } from "./fit-mail.ts";
import { sanitizeMail } from "./sanitize-mail.ts";

type Attachment = NonNullable<ShownEmail["attachments"]>[number];

interface MailFrameProps {
  html: string;
  attachments: readonly Attachment[];
}

/**
 * HTML that a stranger wrote. Three walls, each enough alone: it is cleaned of all that runs or loads; the frame's sandbox
 * has no scripts, forms or navigation; and the frame's document is served with a content security policy that loads
 * nothing from elsewhere. Remote pictures are loaded once the reader asks for them, in a document with another policy.
 */
export function MailFrame({ html, attachments }: MailFrameProps) {
  const { email: t } = useTexts();
  const [isRemoteAllowed, setIsRemoteAllowed] = useState(false);
  const [remoteCount, setRemoteCount] = useState(0);
  const frame = useRef<HTMLIFrameElement>(null);
  const stopMeasuring = useRef<() => void>(undefined);
  useEffect(() => () => stopMeasuring.current?.(), []);
  const fill = () => {
    const inner = frame.current?.contentDocument;
    if (!frame.current || !inner?.defaultView) return;
    const mail = sanitizeMail(html, { attachments, isRemoteAllowed, frame: inner.defaultView });
    // Until the mail says otherwise: the application's font, and a long link is broken rather than all of the mail made smaller for it.
    const usual = inner.createElement("style");
    usual.textContent = `html { font-family: ${getComputedStyle(document.body).fontFamily}; overflow-wrap: break-word }`;
    inner.head.append(usual, inner.importNode(mail.content.head, true));
    inner.body.replaceChildren(inner.importNode(mail.content.body, true));
    setRemoteCount(mail.remoteCount);
    stopMeasuring.current?.();
    stopMeasuring.current = fitMail(frame.current, inner);
  };
  return (
    <>
      {remoteCount > 0 && !isRemoteAllowed && (
        <div className="notice notice-plain remote-note">
          <p>{t.remoteImages}</p>
          <Button onClick={() => setIsRemoteAllowed(true)}>{t.loadImages}</Button>
        </div>
      )}
      <iframe
        key={String(isRemoteAllowed)}
        ref={frame}
        className="mail-frame"
        title={t.frame}
        // Same origin so that this page can fill and measure it; without allow-scripts nothing in it can make use of that.
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        src={isRemoteAllowed ? "/mail-frame-remote.html" : "/mail-frame.html"}
        onLoad={fill}
      />
    </>
  );
}
