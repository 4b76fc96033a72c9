import createPurifier from "dompurify";
import { cleanDeclarations, cleanSheet } from "./clean-styles.ts";
import type { ShownEmail } from "./email-page.tsx";

type Attachment = NonNullable<ShownEmail["attachments"]>[number];

interface CleanMail {
  content: { head: DocumentFragment; body: DocumentFragment };
  /** How many pictures there are that would be loaded from elsewhere. */
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
  "dialog",
  "svg",
  "math",
  "audio",
  "video",
  "picture",
  "source",
  "track",
  "template",
];
const forbiddenAttributes = [
  "srcset",
  "background",
  "ping",
  "action",
  "formaction",
  "autofocus",
  "tabindex",
  "poster",
  "popover",
];
const reachable = /^(?:https?|mailto):/i;
const remotePicture = /^(?:https?:)?\/\//i;
const embeddedPicture = /^data:image\//i;

interface CleaningOptions {
  attachments: readonly Attachment[];
  /** Whether pictures from elsewhere stay. */
  isRemoteAllowed: boolean;
  /** The frame's own window: what is read there is under the frame's policy from the first moment on. */
  frame: Window & typeof globalThis;
}

/** A stranger's HTML without what runs, loads or asks for something. Pictures that came with the mail are shown. */
export function sanitizeMail(html: string, options: CleaningOptions): CleanMail {
  const { frame } = options;
  const purifier = createPurifier(frame);
  let remoteCount = 0;
  purifier.addHook("uponSanitizeElement", (node, { tagName }) => {
    if (tagName === "style") node.textContent = cleanSheet(node.textContent ?? "", frame);
  });
  purifier.addHook("uponSanitizeAttribute", (_node, attribute) => {
    if (attribute.attrName === "style") attribute.attrValue = cleanDeclarations(attribute.attrValue, frame);
  });
  purifier.addHook("afterSanitizeAttributes", (node) => {
    if (node.tagName === "A" || node.tagName === "AREA") outwardLink(node);
    if (node.tagName === "IMG" && cleanPicture(node, options)) remoteCount += 1;
  });
  const root = purifier.sanitize(html, {
    WHOLE_DOCUMENT: true,
    RETURN_DOM: true,
    ADD_TAGS: ["style"],
    FORBID_TAGS: forbiddenTags,
    FORBID_ATTR: forbiddenAttributes,
    ALLOW_DATA_ATTR: false,
  });
  if (!(root instanceof frame.HTMLElement)) throw new Error("a cleaned document is an element");
  return { content: { head: stylesOf(root), body: contentOf(root) }, remoteCount };
}

/** Leaves a picture what it may show. @returns whether it is one from elsewhere, shown or not */
function cleanPicture(picture: Element, { attachments, isRemoteAllowed }: CleaningOptions): boolean {
  const source = picture.getAttribute("src") ?? "";
  const isRemote = remotePicture.test(source);
  const isKept = embeddedPicture.test(source) || (isRemoteAllowed && isRemote);
  const shown = isKept ? source : attachedPicture(source, attachments);
  if (shown === undefined) picture.removeAttribute("src");
  else picture.setAttribute("src", shown);
  return isRemote;
}

/** The link of the attachment that a `cid:` link names (RFC 2392). */
function attachedPicture(source: string, attachments: readonly Attachment[]): string | undefined {
  const [, contentId] = /^cid:(.+)$/i.exec(source) ?? [];
  if (contentId === undefined) return undefined;
  const named = decodeURIComponentSafely(contentId);
  return attachments.find((each) => each.contentId?.replace(/^<|>$/g, "") === named)?.url;
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
