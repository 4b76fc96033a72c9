import { expect, test } from "@jest/globals";
import { SessionCookie } from "./session-cookie.ts";

const expiresAt = "2026-12-21T20:45:00.000Z";

test("under https the cookie goes over https alone, and no other host can set it", () => {
  const cookie = new SessionCookie("https://postern.example");
  expect(cookie.write({ token: "a.b.c", expiresAt })).toBe(
    "__Host-postern-session=a.b.c; Path=/; HttpOnly; SameSite=Lax; Secure; Expires=Mon, 21 Dec 2026 20:45:00 GMT",
  );
  expect(cookie.write({ token: null })).toBe(
    "__Host-postern-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0",
  );
  expect(cookie.read("other=1; __Host-postern-session=a.b.c; more=2")).toBe("a.b.c");
  expect(cookie.read("postern-session=a.b.c; __Host-postern-session=")).toBeUndefined();
});

test("without https the name promises nothing", () => {
  const cookie = new SessionCookie("http://127.0.0.1:8080");
  expect(cookie.write({ token: "a.b.c" })).toBe("postern-session=a.b.c; Path=/; HttpOnly; SameSite=Lax");
  expect(cookie.read("postern-session=a.b.c")).toBe("a.b.c");
  expect(cookie.read(undefined)).toBeUndefined();
});
