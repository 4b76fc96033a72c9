import { expect, test } from "@jest/globals";
import { browserName } from "./browser-name.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const mobile = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"],
  [
    "Firefox on iPhone",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${mobile} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`,
  ],
  ["Chrome on Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36`],
  ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`],
  ["Chrome on ChromeOS", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/140.0.0.0 Safari/537.36`],
  [
    "Edge on Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
  ],
  [
    "Opera on macOS",
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0`,
  ],
  [
    "Samsung Internet on Android",
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  ["Safari on macOS", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${mobile} Version/18.6 Safari/605.1.15`],
  ["Safari on iPad", `Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) ${mobile} Version/18.6 Mobile/15E148 Safari/604.1`],
  ["Linux", "Mozilla/5.0 (X11; Linux x86_64) Something/1.0"],
  ["curl", "curl/8.14.1"],
  ["python-requests", "python-requests/2.32.5"],
  ["node", "node"],
])("%s", (name, userAgent) => expect(browserName(userAgent)).toBe(name));

test("what says nothing has no name, and no name is long or of strange characters", () => {
  for (const nothing of [
    undefined,
    "",
    "Mozilla/5.0",
    "<script>alert(1)</script>",
    "x".repeat(41),
    `${"x".repeat(600)} Firefox/1`,
  ])
    expect(browserName(nothing)).toBeUndefined();
});
