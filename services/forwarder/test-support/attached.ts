import { answerHeader, lines } from "./answer.ts";

/** An answer with a file attached. @param type with its parameters */
export function withAttached(type: string, ...files: readonly (Buffer | string)[]): string {
  const parts = files.flatMap((content) => [
    ...["--b", `Content-Type: ${type}`, "Content-Transfer-Encoding: base64", ""],
    Buffer.from(content).toString("base64").replaceAll(/.{76}/g, "$&\r\n"),
  ]);
  const header = answerHeader("MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"');
  return lines(header, "", "--b", "", "text", ...parts, "--b--", "");
}
