import { expect, test } from "@jest/globals";
import { DeviceCookie } from "./device-cookie.ts";

const device = "a1B2-c3D4_e5F6g7H8i9J0";

test("a browser keeps its name out of reach of scripts and, under https, of other hosts", () => {
  expect(new DeviceCookie("https://postern.example").write(device)).toBe(
    `__Host-postern-device=${device}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000`,
  );
  expect(new DeviceCookie("http://127.0.0.1:8080").write(device)).toBe(
    `postern-device=${device}; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000`,
  );
});

test("a browser that has no name, or one of another form, is not known, and gets a new one", () => {
  const cookie = new DeviceCookie("https://postern.example");
  expect(cookie.read(`other=1; __Host-postern-device=${device}`)).toBe(device);
  for (const header of [undefined, "", "__Host-postern-device=short", `postern-device=${device}`])
    expect(cookie.read(header)).toBeUndefined();
  const name = cookie.newName();
  expect(cookie.read(`__Host-postern-device=${name}`)).toBe(name);
  expect(cookie.newName()).not.toBe(name);
});
