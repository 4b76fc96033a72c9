/** Outlook's winmail.dat with one file attached, as far as it is read (MS-OXTNEF section 2.1.3). */
export function tnefFile(attached: Buffer): Buffer {
  const prefix = Buffer.alloc(9);
  prefix[0] = 2;
  prefix.writeUInt32LE(0x0006800f, 1);
  prefix.writeUInt32LE(attached.length, 5);
  return Buffer.concat([Buffer.from("789f3e220100", "hex"), prefix, attached, Buffer.alloc(2)]);
}
