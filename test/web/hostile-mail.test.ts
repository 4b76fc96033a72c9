import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { makeBinding } from "../support/http/rest-bindings.ts";
import { emailIds, sendMail } from "../support/mail/send-mail.ts";
import { hostileDrawing, hostileHtml } from "./support/hostile-mail.ts";
import { type RequestCounter, startRequestCounter } from "./support/request-counter.ts";
import { openLimitMs, openSharedSite, type Site } from "./support/site.ts";
import { signIn, type Visitor } from "./support/visitor.ts";

/** What of the browser's own classes is looked at here. */
interface Tag {
  getAttributeNames(): string[];
  getAttribute(name: string): string | null;
}
interface Picture {
  complete: boolean;
  naturalWidth: number;
}

let site: Site;
let counter: RequestCounter;
let emailId: string;
let visit: Visitor;
/** What should never be: dialogs, further pages, downloads. */
let surprises: string[];

/** A GIF of one point. */
const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** One empty page. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>`;

beforeAll(async () => {
  counter = await startRequestCounter();
  site = await openSharedSite();
  const { proxyAddress } = await makeBinding(await site.installation.rest(), { is_browsable: true });
  const image = `<img src="${counter.url}/words" onerror="alert(1)">`;
  const answer = await sendMail(site.installation.smtpPort, {
    to: proxyAddress,
    from: { name: `Bank ${image}`, address: "bank@example.com" },
    subject: `Your account ${image}`,
    headers: { "X-Hostile": image },
    html: hostileHtml(counter.url),
    attachments: [
      { filename: "dot.gif", content: dot, contentType: "image/gif", cid: "photo" },
      { filename: "drawing.svg", content: hostileDrawing(counter.url), contentType: "image/svg+xml", cid: "drawing" },
      { filename: "fake.png", content: hostileHtml(counter.url), contentType: "image/png" },
      { filename: "fake.webp", content: hostileDrawing(counter.url), contentType: "image/webp" },
      { filename: "fake.pdf", content: hostileHtml(counter.url), contentType: "application/pdf" },
      { filename: "both.pdf", content: `${pdf}\n${hostileHtml(counter.url)}`, contentType: "application/pdf" },
      { filename: "<img src=x onerror=alert(1)>.html", content: hostileHtml(counter.url), contentType: "text/html" },
    ],
  });
  [emailId = ""] = emailIds(answer);
  visit = await site.visit();
  await signIn(visit.page, site.installation.account);
}, openLimitMs);
afterAll(async () => {
  await site?.close();
  await counter?.close();
});

beforeEach(() => {
  surprises = [];
  visit.page.on("dialog", async (dialog) => {
    surprises.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  visit.page.on("popup", (popup) => surprises.push(`a page: ${popup.url()}`));
});

/** Opens the mail, and waits for the picture that is shown at its end: what else it asks for has been asked for then. */
async function openMail(page: Page) {
  await eventually(async () => {
    await page.goto(`/emails/${emailId}`);
    await page.locator("iframe").waitFor({ timeout: 10_000 });
  });
  return wholeMail(page);
}

async function wholeMail(page: Page) {
  const mail = page.frameLocator("iframe");
  await mail.getByText("Good morning, dear customer").waitFor();
  const isShown = (name: string) =>
    mail.getByAltText(name).evaluate((it: Picture) => (it.complete ? it.naturalWidth > 0 : undefined));
  // SVG is a document with scripts: it comes as bytes alone, which no browser shows.
  await eventually(async () => expect([await isShown("A photo"), await isShown("A drawing")]).toEqual([true, false]));
  return mail;
}

/** What the browser says when it takes the mail apart, before it is cleaned: all of what is left then is let pass. */
const refusedWhileReading =
  /^Blocked script execution in '\S+\/mail-frame\.html'|base-uri 'none'|^@import rules are not allowed|^Loading media from +'\S+\/track'/;

/** That the application is as it was, and nothing of the mail ran in it. */
async function expectUntouched(page: Page): Promise<void> {
  expect(new URL(page.url()).pathname).toBe(`/emails/${emailId}`);
  expect(await page.title()).toBe(`Your account <img src="${counter.url}/words" onerror="alert(1)"> · Postern`);
  expect(await page.evaluate("window.pwned")).toBeUndefined();
  expect(await page.evaluate("document.cookie")).toBe("");
  expect(surprises).toEqual([]);
}

test("a hostile mail loads nothing and runs nothing", async () => {
  const { page, requests, complaints } = visit;
  const before = { requests: requests.length, complaints: complaints.length };
  const mail = await openMail(page);
  for (const name of ["Headers", "Source"]) await page.getByRole("button", { name }).click();
  await page.getByRole("region", { name: "Source" }).waitFor();
  const elsewhere = requests.slice(before.requests).filter((url) => !url.startsWith(`${site.installation.url}/`));
  expect(elsewhere).toEqual([]);
  expect(counter.hits).toEqual([]);
  expect(complaints.slice(before.complaints).filter((each) => !refusedWhileReading.test(each))).toEqual([]);
  await expectUntouched(page);

  const left = (selector: string) => mail.locator(selector).count();
  expect(
    await left(
      "script, form, input, button, iframe, object, embed, video, audio, svg, math, dialog, base, meta[http-equiv], link",
    ),
  ).toBe(0);
  const attributes = await mail
    .locator("body *")
    .evaluateAll((all: Tag[]) => all.flatMap((each) => each.getAttributeNames()));
  expect(attributes.filter((name) => /^on|srcset|action|ping|background|poster/.test(name))).toEqual([]);
  const links = await mail
    .locator("a, area")
    .evaluateAll((all: Tag[]) => all.map((each) => ["href", "rel", "target"].map((name) => each.getAttribute(name))));
  for (const [href, ...rest] of links) {
    expect(href === null || /^(?:https?|mailto):/.test(String(href))).toBe(true);
    expect(rest).toEqual(["noopener noreferrer", "_blank"]);
  }
});

test("of attachments, pictures alone are shown, and none that is a document by its type or its bytes", async () => {
  const { page, requests } = visit;
  const before = requests.length;
  await openMail(page);
  const tiles = page.getByRole("region", { name: "Attachments" }).getByRole("listitem");
  await tiles.last().scrollIntoViewIfNeeded();
  // What turns out to be no picture makes room for a sign.
  await eventually(async () => {
    const widths = await tiles.locator("img").evaluateAll((all: Picture[]) => all.map((each) => each.naturalWidth));
    expect(widths).toEqual([1]);
  });
  expect(await tiles.filter({ has: page.locator("img") }).textContent()).toContain("dot.gif");
  expect(await tiles.locator("iframe, object, embed").count()).toBe(0);
  expect(await tiles.locator("a:not([download])").count()).toBe(0);
  expect(requests.slice(before).filter((url) => !url.startsWith(`${site.installation.url}/`))).toEqual([]);
  for (const tile of await tiles.all()) {
    const response = await page.request.get((await tile.getByRole("link").getAttribute("href")) ?? "");
    expect(response.headers()).toMatchObject({
      "content-disposition": expect.stringMatching(/^attachment; /),
      "content-security-policy": "sandbox; default-src 'none'",
      "content-type": expect.stringMatching(/^(?:image\/(?:gif|png|webp)|application\/octet-stream)$/),
      "x-content-type-options": "nosniff",
    });
  }
  await expectUntouched(page);
});

test("a PDF opens as PDF alone, in a page that knows nothing of this one, and what is none is said to be none", async () => {
  const { page, requests } = visit;
  const before = requests.length;
  await openMail(page);
  await page.getByRole("button", { name: "Preview fake.pdf" }).click();
  await page.getByText("fake.pdf can't be shown. Download it instead.").waitFor();
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("button", { name: "Preview both.pdf" }).click(),
  ]);
  await opened.waitForLoadState();
  expect(opened.url()).toMatch(/^blob:/);
  expect(
    await opened.evaluate("[document.contentType, window.opener, document.referrer, document.images.length]"),
  ).toEqual(["application/pdf", null, "", 0]);
  await opened.close();
  const elsewhere = (url: string) => /^https?:/.test(url) && !url.startsWith(`${site.installation.url}/`);
  expect([requests.slice(before).filter(elsewhere), counter.hits]).toEqual([[], []]);
  expect(await page.evaluate("window.pwned")).toBeUndefined();
});

test("when remote pictures are allowed, they load and nothing else does", async () => {
  const { page } = visit;
  await openMail(page);
  expect(counter.hits).toEqual([]);
  await page.getByRole("button", { name: "Load images" }).click();
  await eventually(() =>
    expect(counter.hits.map(({ name }) => name)).toEqual(expect.arrayContaining(["image", "image-source"])),
  );
  await wholeMail(page);
  expect([...new Set(counter.hits.map(({ wantedAs }) => wantedAs))]).toEqual(["image"]);
  expect(counter.hits.filter(({ referer }) => referer !== undefined)).toEqual([]);
  expect(counter.hits.map(({ name }) => name).filter((name) => !/^(?:picture-)?image/.test(name))).toEqual([]);
  await expectUntouched(page);
});

test("a link opens a page of its own, which learns nothing of where it was", async () => {
  const { page } = visit;
  const mail = await openMail(page);
  const [opened] = await Promise.all([page.waitForEvent("popup"), mail.getByText("A link", { exact: true }).click()]);
  await opened.waitForLoadState();
  expect(opened.url()).toBe(`${counter.url}/followed`);
  expect(await opened.evaluate("window.opener")).toBeNull();
  expect(counter.hits.find(({ name }) => name === "followed")).toMatchObject({
    wantedAs: "document",
    referer: undefined,
  });
  expect(counter.hits.filter(({ name }) => name === "ping")).toEqual([]);
  await opened.close();
});

test.each(["/mail-frame.html", "/mail-frame-remote.html"])(
  "%s alone is enough: uncleaned, nothing runs in it, and pictures are all that loads",
  async (path) => {
    const { page, close } = await site.visit();
    page.on("dialog", (dialog) => surprises.push(dialog.message()));
    page.on("popup", (popup) => surprises.push(popup.url()));
    const hitsBefore = counter.hits.length;
    await page.goto(path);
    await page.evaluate(`document.write(${JSON.stringify(hostileHtml(counter.url))}); document.close()`);
    await page.getByText("Good morning, dear customer").waitFor();
    await eventually(async () => expect(await page.evaluate("document.readyState")).toBe("complete"));
    // A browser prefetches what any directive of the policy lets pass: pictures, once they may come from elsewhere.
    const hits = counter.hits.slice(hitsBefore).filter(({ name }) => name !== "link-prefetch");
    expect([...new Set(hits.map(({ wantedAs }) => wantedAs))]).toEqual(path === "/mail-frame.html" ? [] : ["image"]);
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    expect(surprises).toEqual([]);
    await close();
  },
);
