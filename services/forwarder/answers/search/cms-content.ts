// What S/MIME (RFC 8551) packs in one part: CMS (RFC 5652, RFC 3274).

/** What types of content there are begins with one of these (RFC 5652 section 14, RFC 8551 section 2.4). */
const contentTypes = /^2a864886f70d0(?:107|109100[19])/;
const signedData = "2a864886f70d010702";
const compressedData = "2a864886f70d0109100109";
const [endOfContents, octetString, objectIdentifier] = [0x00, 0x04, 0x06];
const sequence = 0x30;
const beginningBytes = 64;
const constructedFlag = 0x20;

interface CmsContent {
  /** What is signed or compressed: an entity of MIME. */
  readonly content: Buffer;
  readonly isCompressed: boolean;
}

/** Whether a file is such data of any kind, whatever it is called. */
export function isCms(bytes: Buffer): boolean {
  const [first] = primitives(bytes.subarray(0, beginningBytes));
  return bytes[0] === sequence && first?.tag === objectIdentifier && contentTypes.test(first.content.toString("hex"));
}

/** What is in signed or compressed data; undefined for other data. Programs part it in pieces, whose ends may fall within a word. */
export function cmsContent(bytes: Buffer): CmsContent | undefined {
  let type: string | undefined;
  const pieces: Buffer[] = [];
  for (const { tag, content } of primitives(bytes)) {
    if (tag === objectIdentifier) type ??= content.toString("hex");
    if (tag === octetString) pieces.push(content);
    // The first octet strings that stand together are the content.
    else if (pieces.length > 0 && tag !== endOfContents) break;
  }
  if (type !== signedData && type !== compressedData) return undefined;
  return { content: Buffer.concat(pieces), isCompressed: type === compressedData };
}

/** The values that have no others in them, in order, of BER with lengths of either form (X.690 section 8.1). */
function* primitives(bytes: Buffer): Generator<{ tag: number; content: Buffer }> {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const tag = bytes[at] as number;
    const first = bytes[at + 1] as number;
    const lengthBytes = first > 0x80 ? first & 0x7f : 0;
    if (lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) return;
    const length = lengthBytes === 0 ? first & 0x7f : bytes.readUIntBE(at + 2, lengthBytes);
    at += 2 + lengthBytes;
    if ((tag & constructedFlag) !== 0) continue;
    yield { tag, content: bytes.subarray(at, at + length) };
    at += length;
  }
}
