import { expect, test } from "@jest/globals";
import { newAccount } from "../support/accounts.ts";
import { ask } from "../support/ask.ts";
import { errorDocument } from "../support/documents.ts";
import { madeRecorder, recorderPath } from "../support/recorders.ts";
import { titled } from "../support/titles.ts";

const missing = errorDocument("NotFound", "webhook", "There is no such recorder.");

test.each(titled(["0".repeat(32), "0", "x".repeat(4_000), "%00", "' or 1=1 --".replaceAll(" ", "%20"), "__proto__"]))(
  "%s is no recorder",
  async (_title, hash) => {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const answer = await ask({ method, path: `${recorderPath}/call/${hash}`, body: "{}" });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(missing);
    }
  },
);

test("a hash is written in small letters only", async () => {
  const hash = await madeRecorder(await newAccount());
  const answer = await ask({ method: "POST", path: `${recorderPath}/call/${hash.toUpperCase()}` });
  expect(answer.status).toBe(/[a-f]/.test(hash) ? 404 : 200);
});
