import type { IncomingMessage, ServerResponse } from "node:http";
import type { LiveConnections, LiveListener } from "./live-connections.ts";

/** How long a browser waits before it connects again. */
const retryMs = 3_000;

const arrivalsOnly: LiveListener = {
  opened: ({ write }) => write(`retry: ${retryMs}\n\n`),
  arrived: (line, { write }) => {
    const { bindingId, emailId } = JSON.parse(line) as { bindingId: string; emailId: string };
    write(`event: email\ndata: ${JSON.stringify({ bindingId, emailId })}\n\n`);
  },
};

/**
 * /events, one connection for all inboxes of an account: `event: email` with `{"bindingId", "emailId"}` for each email that can be read
 * from now on. Events are not repeated: a client that reconnects reads the list again.
 */
export function arrivalEvents(connections: LiveConnections) {
  return (request: IncomingMessage, response: ServerResponse) =>
    connections.serve(request, response, async () => arrivalsOnly);
}
