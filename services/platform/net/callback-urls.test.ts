import { expect, test } from "@jest/globals";
import { CallbackUrls } from "./callback-urls.ts";
import { rangesOf } from "./special-ranges.ts";

const urls = new CallbackUrls(rangesOf([]), "http://127.0.0.1:8080");

test.each([undefined, null, ""])("%j is none", (given) => {
  expect(urls.check(given)).toBe("");
});

test.each([
  "https://example.com/hook?x=1#y",
  "HTTP://Example.com:8080",
  "https://user:password@example.com/",
  "https://bücher.example/ä",
  "http://8.8.8.8/",
  "http://[2606:4700:4700::1111]:81/",
  "http://internal.corp/",
  "http://127.0.0.1:8080/api/v1/callback/call/0123456789abcdef0123456789abcdef",
])("%s is taken as it is", (given) => {
  expect(urls.check(given)).toBe(given);
});

test.each([
  "example.com/hook",
  "/hook",
  "//example.com/",
  "http:example.com",
  "ftp://example.com/",
  "javascript:alert(1)",
  "http://",
  " http://example.com/",
  "http://example.com/\r\nX-Header: 1",
  "http://exam\tple.com/",
  "http://example.com/\0",
  "http://example.com/\ud800",
  `https://example.com/${"a".repeat(2_048)}`,
  "http://127.0.0.1/",
  "http://127.0.0.1:8081/api/v1/callback/call/x",
  "http://127.0.0.1:8080/api/v1/callback/call/../../../admin",
  "http://127.0.0.1:8080/api/v1/callback/call",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://017700000001/",
  "http://127.0.0.1./",
  "http://１２７.0.0.1/",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://a.localhost/",
  "http://10.1.2.3/",
  "http://169.254.169.254/latest/meta-data",
  "http://[::1]/",
  "http://[::ffff:10.0.0.1]/",
  "http://[::]/",
  "http://[fd00::1]/",
  "http://user@192.168.0.1/",
])("%j is refused, naming the member", (given) => {
  expect(() => urls.check(given)).toThrow(/^callbackUrl: /);
});

test("ranges that the operator allows may be reached", () => {
  const allowing = new CallbackUrls(rangesOf(["127.0.0.0/8", "10.0.0.0/8"]), "https://mail.example");
  for (const given of ["http://127.0.0.1:9/", "http://localhost/", "http://0x7f.1/", "http://[::ffff:10.0.0.1]/"])
    expect(allowing.check(given)).toBe(given);
  expect(() => allowing.check("http://192.168.0.1/")).toThrow();
});
