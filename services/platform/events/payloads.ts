import { type DescMessage, fromBinary, type Message, type MessageShape, toBinary } from "@bufbuild/protobuf";

/**
 * An event's bytes, and their message once it is known: what this process has encoded it need not decode, and what came to it is decoded
 * once for all groups that take it. In a WeakMap messages outlived collections of V8's young generation: 2 kB a message more grew old.
 */
interface Payload extends Buffer {
  [known]?: Message;
}

const known = Symbol("message");

/** @param message must not change afterwards */
export function encodePayload<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): Buffer {
  const { buffer, byteOffset, byteLength } = toBinary(schema, message);
  const payload: Payload = Buffer.from(buffer, byteOffset, byteLength);
  payload[known] = message;
  return payload;
}

/** For reading alone. @throws Error for what is no such message */
export function decodePayload(schema: DescMessage, payload: Payload): Message {
  payload[known] ??= fromBinary(schema, payload);
  return payload[known];
}
