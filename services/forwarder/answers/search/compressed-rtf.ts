// Compressed RTF (MS-OXRTFCP): as Outlook has the text of a message in winmail.dat, and in messages that are kept as files.

const signature = Buffer.from("LZFu", "latin1");
/** Before the signature stand two lengths, behind it a checksum. */
const [lengthBytes, checksumBytes] = [8, 4];
const dictionaryBytes = 4_096;
/** What stands in the dictionary at the beginning (section 2.1.3.1.4). */
const dictionary =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArial" +
  "Times New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/** Each compressed text in a file. @param room octets, of all of them */
export function* compressedTexts(file: Buffer, room: number): Generator<Buffer> {
  let left = room;
  for (let at = file.indexOf(signature); at !== -1 && left > 0; ) {
    const end = Math.max(endOf(file, at), at + 1);
    const text = decompressed(file.subarray(at + signature.length + checksumBytes, end), left);
    left -= text.length;
    yield text;
    at = file.indexOf(signature, end);
  }
}

/** Its first length counts all that follows it. */
function endOf(file: Buffer, at: number): number {
  return at < lengthBytes ? file.length : at - lengthBytes + 4 + file.readUInt32LE(at - lengthBytes);
}

/** Of what is cut, what there is. */
function decompressed(data: Buffer, room: number): Buffer {
  const start = dictionary.length;
  const written = Buffer.alloc(start + Math.min(room, data.length * 9));
  let end = written.write(dictionary, "latin1");
  for (const { literal, reference } of tokensOf(data)) {
    // How far back it is, in a dictionary that begins again when it is full.
    const distance = reference === undefined ? 0 : (end - (reference >> 4) + dictionaryBytes) % dictionaryBytes;
    if (reference !== undefined && distance === 0) break;
    const until = Math.min(written.length, reference === undefined ? end + 1 : end + (reference & 0xf) + 2);
    for (; end < until; end += 1) written[end] = literal ?? written[end - distance] ?? 0;
    if (end === written.length) break;
  }
  return written.subarray(start, end);
}

/** Before each eight of them stands an octet that says which are references. */
function* tokensOf(data: Buffer): Generator<{ literal?: number; reference?: number }> {
  for (let at = 0; at < data.length; ) {
    const control = data[at] as number;
    at += 1;
    for (let bit = 0; bit < 8 && at < data.length; bit += 1) {
      const isReference = (control & (1 << bit)) !== 0;
      if (!isReference) yield { literal: data[at] as number };
      else if (at + 1 < data.length) yield { reference: data.readUInt16BE(at) };
      at += isReference ? 2 : 1;
    }
  }
}
