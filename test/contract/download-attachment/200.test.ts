import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { type AttachmentLink, attachmentLink } from "../support/attachments.ts";
import { contractInstallation } from "../support/installation.ts";
import { messageWithAttachment } from "../support/messages.ts";

let anna: TestAccount;
let link: AttachmentLink;
beforeAll(async () => {
  anna = await newAccount("anna");
  link = await attachmentLink(anna);
});

const described = {
  "content-type": "application/octet-stream",
  "content-length": "9",
  "content-disposition": "attachment; filename*=UTF-8''%C3%9Cbersicht%20%28neu%29.bin",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cache-control": "private, no-store",
};

test("the bytes as they were sent, described so that no browser shows them, and without credentials", async () => {
  const { url } = await contractInstallation();
  const answer = await fetch(`${url}${link.path}`);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject(described);
  expect(Buffer.from(await answer.arrayBuffer()).toString("hex")).toBe("00ff01fe0d0a2e0d0a");
});

test("HEAD describes them alone; credentials of any kind do not matter", async () => {
  const headers = { Token: "nobody's", authorization: "Basic x" };
  const answer = await ask({ method: "HEAD", path: link.path, headers });
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject(described);
  expect(answer.text).toBe("");
});

test.each(["image/png", "IMAGE/JPEG", "image/gif", "image/webp"])(
  "%s is shown as the picture that it is",
  async (mime) => {
    const { path } = await attachmentLink(anna, messageWithAttachment.replace("application/x-note", mime));
    const { headers } = await ask({ method: "GET", path });
    expect(headers).toMatchObject({ ...described, "content-type": mime.toLowerCase() });
  },
);

test.each(["text/html", "image/svg+xml", "application/pdf", "text/plain", "image/png2", "application/xhtml+xml"])(
  "%s is nothing but bytes",
  async (mime) => {
    const { path } = await attachmentLink(anna, messageWithAttachment.replace("application/x-note", mime));
    const { headers } = await ask({ method: "GET", path });
    expect(headers).toMatchObject(described);
  },
);

test("a media type that would run in a browser, and a file name that would break the header, do no harm", async () => {
  const hostile = messageWithAttachment
    .replace("application/x-note", "text/html")
    .replace("%C3%9Cbersicht", "%22%0D%0ASet-Cookie%3A%20a%3Db%0D%0A");
  const { path } = await attachmentLink(anna, hostile);
  const answer = await ask({ method: "GET", path });
  expect(answer.status).toBe(200);
  expect(answer.headers["set-cookie"]).toBeUndefined();
  expect(answer.headers["content-disposition"]).toMatch(/^attachment; filename\*=UTF-8''[\w%.-]+$/);
  expect(answer.headers["content-security-policy"]).toBe(described["content-security-policy"]);
});
