import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../parts/button.tsx";
import type { ShownEmail } from "./email-page.tsx";
import { sanitizeMail } from "./sanitize-mail.ts";

type Attachment = NonNullable<ShownEmail["attachments"]>[number];

interface MailFrameProps {
  html: string;
  attachments: readonly Attachment[];
}

/** A mail that is longer scrolls in its frame: one that grows with its frame would grow for ever. */
const tallestPx = 8_000;

/**
 * HTML that a stranger wrote. Three walls, each enough alone: it is cleaned of all that runs or loads; the frame's sandbox
 * has no scripts, forms or navigation; and the frame's document is served with a content security policy that loads
 * nothing from elsewhere. Remote images are loaded once the reader asks for them, by a document with another policy.
 */
export function MailFrame({ html, attachments }: MailFrameProps) {
  const [isRemoteAllowed, setIsRemoteAllowed] = useState(false);
  const mail = useMemo(() => sanitizeMail(html, attachments, isRemoteAllowed), [html, attachments, isRemoteAllowed]);
  const { frame, fill } = useFilledFrame(mail.content);
  return (
    <>
      {mail.remoteCount > 0 && !isRemoteAllowed && (
        <div className="notice notice-plain remote-note">
          <p>This mail wants to load content from elsewhere, which tells its sender that you read it.</p>
          <Button onPress={() => setIsRemoteAllowed(true)}>Load it</Button>
        </div>
      )}
      <iframe
        key={String(isRemoteAllowed)}
        ref={frame}
        className="mail-frame"
        title="The message as its sender designed it"
        // Same origin so that this page can fill and measure it; without allow-scripts nothing in it can make use of that.
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        src={isRemoteAllowed ? "/mail-frame-remote.html" : "/mail-frame.html"}
        onLoad={fill}
      />
    </>
  );
}

/** Puts content into a frame once its own document is there, and keeps the frame as tall as it. */
function useFilledFrame(content: { head: DocumentFragment; body: DocumentFragment }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const observer = useRef<ResizeObserver>(undefined);
  useEffect(() => () => observer.current?.disconnect(), []);
  const fill = () => {
    const inner = frame.current?.contentDocument;
    if (!inner?.body) return;
    inner.head.append(inner.importNode(content.head, true));
    inner.body.replaceChildren(inner.importNode(content.body, true));
    observer.current?.disconnect();
    observer.current = new ResizeObserver(() => {
      const heightPx = Math.min(Math.ceil(inner.documentElement.getBoundingClientRect().height), tallestPx);
      if (frame.current) frame.current.style.height = `${heightPx}px`;
    });
    observer.current.observe(inner.body);
  };
  return { frame, fill };
}
