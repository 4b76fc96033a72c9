import { type DescMessage, fromBinary, type Message, type MessageShape, toBinary } from "@bufbuild/protobuf";

/**
 * Messages by their payloads: what this process has encoded it need not decode, and what came to it is decoded once for all groups that
 * take it.
 */
const messages = new WeakMap<Buffer, Message>();

/** @param message must not change afterwards */
export function encodePayload<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): Buffer {
  const { buffer, byteOffset, byteLength } = toBinary(schema, message);
  const payload = Buffer.from(buffer, byteOffset, byteLength);
  messages.set(payload, message);
  return payload;
}

/** For reading alone. @throws Error for what is no such message */
export function decodePayload(schema: DescMessage, payload: Buffer): Message {
  const message = messages.get(payload) ?? fromBinary(schema, payload);
  messages.set(payload, message);
  return message;
}
