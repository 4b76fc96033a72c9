import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { dayMs } from "../../platform/durations.ts";
import { newId } from "../../platform/ids.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { lifetimeDays, ReversePaths } from "./reverse-path.ts";

const domain = "postern.example";
const paths = new ReversePaths(new Secrets("test"), domain);
const sentAt = new Date("2026-01-20T12:00:00Z");
const later = (days: number) => new Date(sentAt.getTime() + days * dayMs);

describe("reverse paths", () => {
  test("lead back to their delivery, in any letter case, within the lifetime", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: lifetimeDays }), fc.boolean(), (id, ageDays, isShouted) => {
        const path = paths.write(id, sentAt);
        expect(paths.read(isShouted ? path.toUpperCase() : path, later(ageDays))).toBe(id);
      }),
    );
  });

  test("fit the 64 octets of a local part and hold nothing but a token", () => {
    const [local, host] = paths.write(newId(), sentAt).split("@");
    expect(local).toMatch(/^bounce\+[a-z2-7]{45}$/);
    expect(host).toBe(domain);
  });

  test("survive no change of any character", () => {
    const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz234567019-+=_.");
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), letter, (id, place, replacement) => {
        const path = paths.write(id, sentAt);
        const at = "bounce+".length + (place % 45);
        fc.pre(path[at] !== replacement);
        expect(paths.read(path.slice(0, at) + replacement + path.slice(at + 1), sentAt)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  test("are none of ours when made up, cut, lengthened or on another domain", () => {
    const path = paths.write(newId(), sentAt);
    const [local = ""] = path.split("@");
    const others = [
      "",
      "@",
      `bounce+@${domain}`,
      `bounce@${domain}`,
      local,
      `${local}@other.example`,
      `${local}a@${domain}`,
      `${local.slice(0, -1)}@${domain}`,
      `x${path}`,
    ];
    for (const other of others) expect(paths.read(other, sentAt)).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => paths.read(`bounce+${text}@${domain}`, sentAt) === undefined));
  });

  test("expire, and are not from the future", () => {
    const path = paths.write(newId(), sentAt);
    expect(paths.read(path, later(lifetimeDays + 1))).toBeUndefined();
    expect(paths.read(path, later(-2))).toBeUndefined();
  });

  test("outlive a change of SECRET_KEY by SECRET_KEY_PREVIOUS, and no longer", () => {
    const id = newId();
    const path = paths.write(id, sentAt);
    expect(new ReversePaths(new Secrets("new", "test"), domain).read(path, sentAt)).toBe(id);
    expect(new ReversePaths(new Secrets("new"), domain).read(path, sentAt)).toBeUndefined();
  });
});
