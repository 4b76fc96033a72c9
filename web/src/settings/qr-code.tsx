import { useMemo } from "react";
import { encode } from "uqr";

/** A text as a QR code, drawn as one path; dark on light whatever the theme, as readers want it. */
export function QrCode({ text, title }: { text: string; title: string }) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={title}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function draw(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join("") };
}
