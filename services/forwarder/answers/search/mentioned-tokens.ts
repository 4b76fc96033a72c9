import { reverseAddressPattern, reverseToken } from "../../../message/address/reverse-address.ts";
import type { MimeNode } from "../../../message/mime/mime-tree.ts";
import { decodedBody } from "./address-search.ts";
import { partReadings } from "./text-readings.ts";

/** Tokens of reverse addresses that a message mentions anywhere in its texts, for their contacts to be looked up. */
export async function mentionedTokens(message: Buffer, root: MimeNode): Promise<string[]> {
  const tokens = new Set<string>();
  const visit = async (node: MimeNode): Promise<void> => {
    for (const child of node.children) await visit(child);
    if (node.children.length > 0 || !node.content.type.startsWith("text/")) return;
    const bytes = await decodedBody(message.subarray(node.bodyStart, node.bodyEnd), node.content.transferEncoding);
    for await (const reading of partReadings(bytes, node.content))
      for (const [found] of reading.matchAll(reverseAddressPattern)) {
        const token = reverseToken(found);
        if (token) tokens.add(token);
      }
  };
  await visit(root);
  return [...tokens].slice(0, 1_000);
}
