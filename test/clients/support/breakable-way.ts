import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface BreakableWay {
  url: string;
  /** Ends every connection, and takes no more until `mend`. */
  break(): Promise<void>;
  mend(): Promise<void>;
}

/** A way to an HTTP server on loopback that can be broken. */
export async function breakableWay(url: string): Promise<BreakableWay> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(new URL(url).port), "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  let port = 0;
  const mend = async () => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  };
  await mend();
  return {
    url: `http://127.0.0.1:${port}`,
    mend,
    break: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
