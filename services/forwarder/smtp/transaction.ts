import type { MessageContent, SmtpEnvelope } from "../transports/transport.ts";
import type { SmtpConnection } from "./connection.ts";
import { DotStuffing } from "./dot-stuffing.ts";
import { isAsGoodAs, type Reply } from "./reply.ts";
import type { SmtpTimeouts } from "./session.ts";
import { SmtpFailure, type Stage } from "./smtp-failure.ts";

interface Command {
  stage: Stage;
  line: string;
  /** A reply code that means success. */
  code: number;
  timeoutMs: number;
}

type Extensions = ReadonlyMap<string, string>;

/** One mail transaction (RFC 5321 section 3.3). See SmtpClientSession.send. */
export async function transact(
  connection: SmtpConnection,
  extensions: Extensions,
  timeouts: SmtpTimeouts,
  envelope: SmtpEnvelope,
  content: MessageContent,
): Promise<Reply> {
  requireExtensions(extensions, envelope, content);
  // Opened before the first command: a source that is out of reach must not cost the session.
  const source = await content.open();
  await sendEnvelope(connection, extensions, timeouts, envelope, content);
  return await sendContent(connection, timeouts, source);
}

/** An extension that the message needs and the server lacks is a final failure: no retry changes it. */
function requireExtensions(extensions: Extensions, envelope: SmtpEnvelope, content: MessageContent): void {
  const limitBytes = Number(extensions.get("SIZE") || 0);
  const refuse = (stage: Stage, code: number, text: string) =>
    new SmtpFailure(stage, { reply: { code, text, lines: [text] } });
  if (limitBytes > 0 && content.sizeBytes > limitBytes) {
    throw refuse(
      "sender",
      552,
      `552 5.3.4 The message has ${content.sizeBytes} octets; the next hop takes ${limitBytes} (RFC 1870)`,
    );
  }
  if (envelope.smtpUtf8 && !extensions.has("SMTPUTF8")) {
    throw refuse("sender", 550, "550 5.6.7 The next hop does not take internationalized mail (RFC 6531)");
  }
}

/** MAIL, RCPT and DATA: in one go where the server can take it (RFC 2920), else one by one. */
async function sendEnvelope(
  connection: SmtpConnection,
  extensions: Extensions,
  { handshakeMs, commandMs }: SmtpTimeouts,
  envelope: SmtpEnvelope,
  content: MessageContent,
): Promise<void> {
  const parameters = [
    extensions.has("SIZE") ? ` SIZE=${content.sizeBytes}` : "",
    // A next hop without 8BITMIME gets the octets as they are: recoding would break every signature, and all servers take them today.
    envelope.eightBitMime && extensions.has("8BITMIME") ? " BODY=8BITMIME" : "",
    envelope.smtpUtf8 ? " SMTPUTF8" : "",
  ].join("");
  const commands: Command[] = [
    { stage: "sender", line: `MAIL FROM:<${envelope.sender}>${parameters}\r\n`, code: 250, timeoutMs: handshakeMs },
    { stage: "recipient", line: `RCPT TO:<${envelope.recipient}>\r\n`, code: 250, timeoutMs: commandMs },
    { stage: "data", line: "DATA\r\n", code: 354, timeoutMs: commandMs },
  ];
  if (extensions.has("PIPELINING")) return pipelined(connection, commandMs, commands);
  for (const { stage, line, code, timeoutMs } of commands) {
    connection.write(line);
    const reply = await withStage(stage, connection.reply(timeoutMs));
    if (!isAsGoodAs(reply, code)) {
      await reset(connection, commandMs, stage);
      throw new SmtpFailure(stage, { reply });
    }
  }
}

async function pipelined(connection: SmtpConnection, commandMs: number, commands: readonly Command[]): Promise<void> {
  connection.write(commands.map(({ line }) => line).join(""));
  const replies = await Promise.allSettled(
    commands.map(({ stage, timeoutMs }) => withStage(stage, connection.reply(timeoutMs))),
  );
  const last = replies.at(-1);
  const isDataOpen = last?.status === "fulfilled" && isAsGoodAs(last.value, 354);
  for (const [index, outcome] of replies.entries()) {
    const { stage, code } = commands[index] as (typeof commands)[number];
    if (outcome.status === "rejected") throw outcome.reason;
    if (isAsGoodAs(outcome.value, code)) continue;
    // RFC 2920 section 3.1: a server may open DATA all the same; it is given no content, and the session is not to be trusted.
    if (isDataOpen) connection.close(new Error("the server opened DATA for a refused envelope"));
    else await reset(connection, commandMs, stage);
    throw new SmtpFailure(stage, { reply: outcome.value });
  }
}

/** Leaves the session ready for the next message; one that will not be reset is closed. */
async function reset(connection: SmtpConnection, commandMs: number, stage: Stage): Promise<void> {
  if (connection.closeReason || stage === "sender") return;
  connection.write("RSET\r\n");
  const reply = await connection.reply(commandMs).catch(() => undefined);
  if (!reply || !isAsGoodAs(reply, 250)) connection.close(new Error(reply?.text ?? "the connection was lost"));
}

async function sendContent(
  connection: SmtpConnection,
  timeouts: SmtpTimeouts,
  source: readonly Buffer[] | AsyncIterable<Buffer>,
): Promise<Reply> {
  const final = withStage("content", connection.reply(timeouts.blockMs));
  let isAnswered = false;
  // Read even while we still write: a server may refuse in the middle, and close.
  const answered = final.then(
    () => {
      isAnswered = true;
    },
    () => undefined,
  );
  try {
    if (await writeContent(connection, timeouts, source, () => isAnswered)) return accepted(await final);
  } catch (error) {
    // No final dot was sent, so nothing was handed over; closing is the only way out of DATA (RFC 5321 section 4.1.1.4).
    connection.close(new Error("the message could not be read to its end"));
    await answered;
    throw error;
  }
  connection.close(new Error("the server answered before the message was complete"));
  const reply = await final;
  throw new SmtpFailure("content", reply.code >= 400 ? { reply } : { cause: connection.closeReason });
}

function accepted(reply: Reply): Reply {
  if (!isAsGoodAs(reply, 250)) throw new SmtpFailure("content", { reply });
  return reply;
}

/** True once all of it is written, the final dot included; false when the server replied or closed before. */
async function writeContent(
  connection: SmtpConnection,
  { blockMs, endMs }: SmtpTimeouts,
  source: readonly Buffer[] | AsyncIterable<Buffer>,
  isAnswered: () => boolean,
): Promise<boolean> {
  const stuffing = new DotStuffing();
  if (!(Symbol.asyncIterator in source)) {
    const stuffed = source.flatMap((piece) => stuffing.push(piece));
    connection.writeCorked([...stuffed, Buffer.from(stuffing.end())]);
    connection.setDeadline(endMs);
    return true;
  }
  for await (const chunk of source) {
    if (connection.closeReason || isAnswered()) return false;
    let hasRoom = true;
    for (const piece of stuffing.push(chunk)) hasRoom = connection.write(piece);
    connection.setDeadline(blockMs);
    if (!hasRoom) await connection.drained();
  }
  connection.write(stuffing.end());
  connection.setDeadline(endMs);
  return true;
}

/** Adds the stage to the error of a lost connection. */
async function withStage(stage: Stage, reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply;
  } catch (cause) {
    throw new SmtpFailure(stage, { cause });
  }
}
