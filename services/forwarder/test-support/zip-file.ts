import { deflateRawSync } from "node:zlib";

interface ZipEntry {
  name: string;
  content: Buffer;
  /** 0 stored, 8 deflated, 14 LZMA. */
  method?: 0 | 8 | 14;
  isEncrypted?: boolean;
}

/** A ZIP file, as far as it is read (APPNOTE 4.3). */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, content, method = 8, isEncrypted = false } of entries) {
    const data = method === 8 ? deflateRawSync(content) : content;
    const local = Buffer.alloc(30);
    local.write("PK\u0003\u0004", "latin1");
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.write("PK\u0001\u0002", "latin1");
    central.writeUInt16LE(isEncrypted ? 1 : 0, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), data);
    centrals.push(central, Buffer.from(name));
    offset += local.length + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt32LE(Buffer.concat(centrals).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...centrals, end]);
}
