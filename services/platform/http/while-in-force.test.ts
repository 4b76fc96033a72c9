import { expect, test } from "@jest/globals";
import { Outage, Refusal } from "../errors.ts";
import { sparingOutages, whileInForce } from "./while-in-force.ts";

const revoked = new Refusal("BearerTokenInvalid", { public: "It is revoked." });
const isRevoked = () => Promise.reject(revoked);

/** What is handed on of three pieces, and whether their source was ended. */
function handedOn(require: () => Promise<void>, everyMs: number) {
  const found = { pieces: [] as unknown[], isEnded: false };
  async function* pieces() {
    try {
      yield* ["a", "b", "c"];
    } finally {
      found.isEnded = true;
    }
  }
  const read = async () => {
    for await (const piece of whileInForce(pieces(), require, everyMs)) found.pieces.push(piece);
  };
  return { found, read };
}

test("a download breaks off before the next piece once its credential is revoked", async () => {
  let looks = 0;
  const { found, read } = handedOn(async () => {
    looks += 1;
    if (looks === 2) throw revoked;
  }, 0);
  await expect(read()).rejects.toBe(revoked);
  expect(found).toEqual({ pieces: ["a"], isEnded: true });
});

test("one that is over soon looks nothing up", async () => {
  const { found, read } = handedOn(isRevoked, 3_600_000);
  await read();
  expect(found.pieces).toEqual(["a", "b", "c"]);
});

test("an outage of who would know refuses nobody", async () => {
  await sparingOutages(() => Promise.reject(new Outage("auth", { operator: "it is down" })))();
  await expect(sparingOutages(isRevoked)()).rejects.toBe(revoked);
});
