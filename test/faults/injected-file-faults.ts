// Imported by a process under test before its own code (--import): what befalls it while it writes message files. See file-faults.ts.
import { appendFileSync, existsSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const orders = process.env["FILE_FAULTS"] ?? "";
const emailId = /[0-9a-f]{8}-[0-9a-f-]{27}/;

function isOrdered(fault: string): boolean {
  return existsSync(orders) && readFileSync(orders, "utf8") === fault;
}

/** @param place the message file, and where in it the write begins that the kill comes beside */
function killIfOrdered(fault: string, place?: string): void {
  if (!isOrdered(fault)) return;
  if (place !== undefined) appendFileSync(`${orders}.log`, `killed ${place}\n`);
  rmSync(orders);
  process.kill(process.pid, "SIGKILL");
}

/** The path of a message file; undefined for any other. */
function messageFile({ fd }: FileHandle): string | undefined {
  const path = readlinkSync(`/proc/self/fd/${fd}`);
  return path.includes("/segments/") ? path : undefined;
}

const file = await open(import.meta.filename, "r");
await file.close();
const handles = Object.getPrototypeOf(file) as FileHandle;
const { writev, datasync } = handles;
/** Where the last write to each file began. */
const lastWrites = new WeakMap<FileHandle, number>();

handles.writev = async function <Pieces extends readonly NodeJS.ArrayBufferView[]>(
  this: FileHandle,
  pieces: Pieces,
  position?: number,
) {
  const path = messageFile(this);
  if (path !== undefined) {
    lastWrites.set(this, position ?? 0);
    killIfOrdered("killed before the append");
    if (isOrdered("killed amid the append")) {
      const all = Buffer.concat(pieces.map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)));
      await this.write(all, 0, Math.floor(all.length / 2), position);
      killIfOrdered("killed amid the append", `${path} ${position}`);
    }
  }
  return writev.call(this, pieces, position) as ReturnType<typeof this.writev<Pieces>>;
};

handles.datasync = async function (this: FileHandle) {
  const path = messageFile(this);
  if (path === undefined) return datasync.call(this);
  const lastWrite = `${path} ${lastWrites.get(this)}`;
  killIfOrdered("killed before the flush", lastWrite);
  const fails = isOrdered("no flush succeeds");
  appendFileSync(`${orders}.log`, `${fails ? "failed" : "flushed"} ${path}\n`);
  if (fails) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO", syscall: "fdatasync" });
  await datasync.call(this);
  killIfOrdered("killed before the commit", lastWrite);
  if (isOrdered("held before the commit")) appendFileSync(`${orders}.log`, "held\n");
  while (isOrdered("held before the commit")) await delay(20);
};

const { write: send } = Socket.prototype;
Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
  const text = String(args[0]).slice(0, 200);
  if (text.startsWith("250") && emailId.test(text)) killIfOrdered("killed before the answer");
  return Reflect.apply(send, this, args) as boolean;
};
