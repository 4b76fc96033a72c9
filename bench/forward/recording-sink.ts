import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";

const marker = /^X-Bench: (\d+)/m;
const endOfData = Buffer.from("\r\n.\r\n");

/** An SMTP server that notes when the last byte of each marked message came, and keeps nothing else. */
export class RecordingSink {
  /** By the number in the mark, on performance.now's clock. */
  readonly arrivedAt = new Map<number, number>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
  }

  static async start(port: number): Promise<RecordingSink> {
    const sink = new RecordingSink();
    await once(sink.#server.listen(port, "127.0.0.1"), "listening");
    return sink;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket)).on("error", () => socket.destroy());
    let rest: Buffer = Buffer.alloc(0);
    let isData = false;
    socket.on("data", (chunk) => {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let replies = "";
      for (;;) {
        const end = isData ? rest.indexOf(endOfData) : rest.indexOf("\n");
        if (end === -1) break;
        if (isData) {
          this.#note(rest);
          rest = rest.subarray(end + endOfData.length);
          isData = false;
          replies += "250 2.0.0 Ok\r\n";
        } else {
          const command = rest.toString("latin1", 0, 4).toUpperCase();
          rest = rest.subarray(end + 1);
          isData = command === "DATA";
          replies += replyTo(command);
        }
      }
      if (replies) socket.write(replies);
    });
    socket.write("220 sink.example ESMTP\r\n");
  }

  #note(message: Buffer): void {
    const number = marker.exec(message.toString("latin1", 0, 16_384))?.[1];
    if (number !== undefined) this.arrivedAt.set(Number(number), performance.now());
  }
}

function replyTo(command: string): string {
  if (command === "EHLO") return "250-sink.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n";
  if (command === "DATA") return "354 End with a dot\r\n";
  return command === "QUIT" ? "221 2.0.0 Bye\r\n" : "250 2.0.0 Ok\r\n";
}
