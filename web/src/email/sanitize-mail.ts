import createPurifier from "dompurify";
import type { ShownEmail } from "./email-page.tsx";

type Attachment = NonNullable<ShownEmail["attachments"]>[number];

export interface CleanMail {
  content: { head: DocumentFragment; body: DocumentFragment };
  /** How much there is that would be loaded from elsewhere. */
  remoteCount: number;
}

/** No forms, frames, players, drawings or anything that speaks for the document: what is left is text, tables and pictures. */
const forbiddenTags = [
  "form",
  "input",
  "button",
  "textarea",
  "select",
  "option",
  "svg",
  "math",
  "audio",
  "video",
  "picture",
];
const forbiddenAttributes = ["srcset", "background", "ping", "action", "formaction", "autofocus", "tabindex", "poster"];
const reachable = /^(?:https?|mailto):/i;
const remoteInStyle = /url\s*\(|@import|image-set\s*\(/i;

/**
 * A stranger's HTML without what runs, loads or asks for something. Pictures that came with the mail are shown (RFC 2392).
 * @param isRemoteAllowed whether pictures from elsewhere stay; what styles load is the frame's policy to decide
 */
export function sanitizeMail(html: string, attachments: readonly Attachment[], isRemoteAllowed: boolean): CleanMail {
  const purifier = createPurifier(window);
  let remoteCount = 0;
  purifier.addHook("uponSanitizeElement", (node, { tagName }) => {
    if (tagName === "style" && remoteInStyle.test(node.textContent ?? "")) remoteCount += 1;
  });
  purifier.addHook("uponSanitizeAttribute", (_node, attribute) => {
    if (attribute.attrName === "style" && remoteInStyle.test(attribute.attrValue)) remoteCount += 1;
    if (attribute.attrName === "background" || attribute.attrName === "srcset") remoteCount += 1;
  });
  purifier.addHook("beforeSanitizeAttributes", (node) => {
    if (node instanceof Element && node.tagName === "IMG") localPicture(node, attachments);
  });
  purifier.addHook("afterSanitizeAttributes", (node) => {
    if (node.tagName === "A" || node.tagName === "AREA") outwardLink(node);
    if (
      node.tagName === "IMG" &&
      reachable.test(node.getAttribute("src") ?? "") &&
      !node.hasAttribute("data-attached")
    ) {
      remoteCount += 1;
      if (!isRemoteAllowed) node.removeAttribute("src");
    }
  });
  const root = purifier.sanitize(html, {
    WHOLE_DOCUMENT: true,
    RETURN_DOM: true,
    ADD_TAGS: ["style"],
    FORBID_TAGS: forbiddenTags,
    FORBID_ATTR: forbiddenAttributes,
    ALLOW_DATA_ATTR: false,
    ADD_ATTR: ["data-attached"],
  });
  if (!(root instanceof HTMLElement)) throw new Error("a cleaned document is an element");
  return { content: { head: stylesOf(root), body: contentOf(root) }, remoteCount };
}

/** A `cid:` link becomes the link of the attachment that it names. */
function localPicture(picture: Element, attachments: readonly Attachment[]): void {
  picture.removeAttribute("data-attached");
  const [, contentId] = /^cid:(.+)$/i.exec(picture.getAttribute("src") ?? "") ?? [];
  if (contentId === undefined) return;
  const named = decodeURIComponentSafely(contentId);
  const attachment = attachments.find((each) => each.contentId?.replace(/^<|>$/g, "") === named);
  if (!attachment) return;
  picture.setAttribute("src", attachment.url);
  picture.setAttribute("data-attached", "");
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** A link opens a page of its own, which learns nothing of this one; what is no web or mail address is no link. */
function outwardLink(link: Element): void {
  if (!reachable.test(link.getAttribute("href") ?? "")) link.removeAttribute("href");
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer");
}

function stylesOf(root: HTMLElement): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...root.querySelectorAll("head style"));
  return fragment;
}

function contentOf(root: HTMLElement): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...(root.querySelector("body")?.childNodes ?? []));
  return fragment;
}
