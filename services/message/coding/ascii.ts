export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** Whether a text is ASCII without controls and line ends. */
export function isPrintableAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
