declare module "libmime" {
  interface StructuredHeader {
    value: string | false;
    params: Record<string, string>;
  }
  interface Libmime {
    encodeWord(text: string, encoding: "Q" | "B", maxLength?: number): string;
    decodeWords(text: string): string;
    detectMimeType(extension: string): string;
    foldLines(text: string, lineLength: number): string;
    parseHeaderValue(text: string): StructuredHeader;
  }
  const libmime: Libmime;
  export default libmime;
}
