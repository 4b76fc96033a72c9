import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { answerHeader, compose, lines } from "../../services/forwarder/test-support/answer.ts";

// Who answers with large attachments has them searched in the process that takes everybody's mail.

const attachmentBytes = 1024 * 1024;

test.each([
  ["pictures", (size: number) => randomBytes(size)],
  ["text in several encodings", (size: number) => Buffer.alloc(size, "%25%26=3d&amp;\\u0041\0\r\n ")],
])("while %s are searched, others get their turn", async (_name, contentOf) => {
  const content = contentOf(attachmentBytes).toString("base64").replaceAll(/.{76}/g, "$&\r\n");
  const answer = lines(
    answerHeader('Content-Type: multipart/mixed; boundary="b"'),
    ...["", "--b", "", "text", "--b", 'Content-Type: application/octet-stream; name="a.bin"'],
    ...["Content-Transfer-Encoding: base64", "", content, "--b--", ""],
  );
  let [turns, isDone] = [0, false];
  const countTurn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  expect((await compose(answer)).leaks).toEqual([]);
  isDone = true;
  expect(turns).toBeGreaterThan(20);
});
