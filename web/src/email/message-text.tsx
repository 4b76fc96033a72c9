import { piecesOf } from "./text-links.ts";

/** A text as it was written, its web addresses to be followed. They open a page of their own, which learns nothing of this one. */
export function MessageText({ text }: { text: string }) {
  const pieces = piecesOf(text).map((piece, place) => ({ ...piece, place }));
  return (
    <div className="card message-text" dir="auto">
      {pieces.map(({ text: piece, href, place }) =>
        href === undefined ? (
          piece
        ) : (
          <a key={place} href={href} target="_blank" rel="noopener noreferrer">
            {piece}
          </a>
        ),
      )}
    </div>
  );
}
