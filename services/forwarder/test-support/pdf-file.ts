import { deflateSync } from "node:zlib";

/** An object that is a stream. @param dictionary beside its length and filter */
export function deflated(number: number, dictionary: string, content: string): Buffer[] {
  const bytes = deflateSync(content);
  return [
    Buffer.from(`${number} 0 obj\n<<${dictionary}/Length ${bytes.length}/Filter/FlateDecode>>\nstream\n`),
    bytes,
    Buffer.from("\nendstream\nendobj\n\n"),
  ];
}

/** A PDF file of such objects and others. */
export function pdf(...pieces: (Buffer | string)[]): Buffer {
  return Buffer.concat([Buffer.from("%PDF-1.7\n%\xe4\xfc\n", "latin1"), ...pieces.map((each) => Buffer.from(each))]);
}
