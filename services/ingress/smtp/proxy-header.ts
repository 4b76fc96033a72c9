import { isIP, type Socket } from "node:net";

/** The client that a proxy names. */
export interface ProxiedClient {
  readonly address: string;
  readonly port: number;
}

/** A complete header: its length, and the client unless the connection is the proxy's own. */
interface ProxyHeader {
  readonly lengthBytes: number;
  readonly client: ProxiedClient | undefined;
}

const signature = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
const fixedBytes = 16;
const maxTextBytes = 107;
const maxBlockBytes = 2_048;

/**
 * Reads the beginning of a connection as a PROXY protocol header, version 1 (text) or 2 (binary)
 * (https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt); undefined while it is incomplete.
 * @throws Error if it is neither
 * Exported for tests.
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  const common = Math.min(bytes.length, signature.length);
  return bytes.subarray(0, common).equals(signature.subarray(0, common)) ? parseBinary(bytes) : parseText(bytes);
}

function parseText(bytes: Buffer): ProxyHeader | undefined {
  const end = bytes.indexOf("\r\n");
  if (end < 0) {
    const canBecomeOne = "PROXY ".startsWith(bytes.toString("latin1", 0, 6)) && bytes.length < maxTextBytes;
    if (!canBecomeOne) throw new Error("no PROXY header");
    return undefined;
  }
  const [keyword, family, address = "", , port = ""] = bytes.toString("latin1", 0, end).split(" ");
  if (keyword !== "PROXY") throw new Error("no PROXY header");
  const lengthBytes = end + 2;
  if (family === "UNKNOWN") return { lengthBytes, client: undefined };
  if (family !== `TCP${isIP(address)}` || !/^\d{1,5}$/.test(port)) throw new Error("PROXY header without a client");
  return { lengthBytes, client: { address, port: Number(port) } };
}

function parseBinary(bytes: Buffer): ProxyHeader | undefined {
  if (bytes.length < fixedBytes) return undefined;
  const versionAndCommand = bytes.readUInt8(12);
  const blockBytes = bytes.readUInt16BE(14);
  if (versionAndCommand >> 4 !== 2 || blockBytes > maxBlockBytes) throw new Error("unsupported PROXY header version");
  const lengthBytes = fixedBytes + blockBytes;
  if (bytes.length < lengthBytes) return undefined;
  const isLocal = (versionAndCommand & 0x0f) === 0;
  const client = isLocal ? undefined : binaryClient(bytes.readUInt8(13), bytes.subarray(fixedBytes, lengthBytes));
  return { lengthBytes, client };
}

/** TCP over IPv4 (0x11) or IPv6 (0x21); other families name no client. */
function binaryClient(familyAndProtocol: number, block: Buffer): ProxiedClient | undefined {
  if (familyAndProtocol === 0x11 && block.length >= 12) {
    return { address: block.subarray(0, 4).join("."), port: block.readUInt16BE(8) };
  }
  if (familyAndProtocol === 0x21 && block.length >= 36) {
    const groups = Array.from({ length: 8 }, (_, index) => block.readUInt16BE(index * 2).toString(16));
    return { address: groups.join(":"), port: block.readUInt16BE(32) };
  }
  return undefined;
}

/**
 * Reads the header from a new connection; what follows it stays in the socket.
 * @returns the client, or undefined if the connection is the proxy's own
 * @throws Error if there is no header, or none in time
 */
export function readProxyHeader(socket: Socket, timeoutMs: number): Promise<ProxiedClient | undefined> {
  const outcome = Promise.withResolvers<ProxiedClient | undefined>();
  let received = Buffer.alloc(0);
  const onReadable = () => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    received = Buffer.concat([received, chunk]);
    try {
      const header = parseProxyHeader(received);
      if (!header) return;
      if (received.length > header.lengthBytes) socket.unshift(received.subarray(header.lengthBytes));
      outcome.resolve(header.client);
    } catch (error) {
      outcome.reject(error);
    }
  };
  const onEnd = () => outcome.reject(new Error("the connection ended before its PROXY header"));
  const timer = setTimeout(() => outcome.reject(new Error("no PROXY header in time")), timeoutMs);
  socket.on("readable", onReadable).on("close", onEnd).on("error", onEnd);
  return outcome.promise.finally(() => {
    clearTimeout(timer);
    socket.off("readable", onReadable).off("close", onEnd).off("error", onEnd);
  });
}
