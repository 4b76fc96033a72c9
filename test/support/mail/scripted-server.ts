import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** What a server says to a line it was sent; `undefined`: nothing. A message's content is one line, "." its end. */
type Script = (line: string, socket: Socket, connection: number) => string | undefined;

/** A server that follows a script: it answers each line as told, and may hang up at any point. */
export class ScriptedServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Every line that came, over all connections. */
  readonly lines: string[] = [];
  connectionCount = 0;

  private constructor(script: Script) {
    this.#server = createServer((socket) => {
      this.connectionCount += 1;
      const connection = this.connectionCount;
      this.#sockets.add(socket);
      let rest = "";
      const say = (line: string) => {
        const answer = script(line, socket, connection);
        if (answer !== undefined && !socket.destroyed) socket.write(answer);
      };
      socket.on("error", () => undefined);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("data", (chunk) => {
        const lines = (rest + chunk.toString("latin1")).split("\r\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          this.lines.push(line);
          say(line);
        }
      });
      say("");
    });
  }

  static async start(script: Script, host = "127.0.0.1"): Promise<ScriptedServer> {
    const server = new ScriptedServer(script);
    server.#server.listen(0, host);
    await once(server.#server, "listening");
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A polite server's answers; give it other ones for some commands. `""` stands for the greeting. */
export function acceptAll(
  answers: Readonly<Record<string, string | ((socket: Socket, connection: number) => string | undefined)>> = {},
): Script {
  const polite: typeof answers = {
    "": "220 ready\r\n",
    EHLO: "250 mx.example\r\n",
    MAIL: "250 ok\r\n",
    RCPT: "250 ok\r\n",
    DATA: "354 go on\r\n",
    ".": "250 2.0.0 taken\r\n",
    RSET: "250 ok\r\n",
    ...answers,
  };
  const inContent = new WeakSet<Socket>();
  return (line, socket, connection) => {
    const verb = line.split(" ")[0]?.toUpperCase() ?? "";
    if (inContent.has(socket) && line !== ".") return undefined;
    inContent.delete(socket);
    const answer = polite[verb];
    const text = typeof answer === "function" ? answer(socket, connection) : answer;
    if (verb === "DATA" && text?.startsWith("3")) inContent.add(socket);
    return text;
  };
}
