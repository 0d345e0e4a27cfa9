/**
 * What a terminal obeys instead of showing it: control characters of both ranges (C0, C1, so ESC and CSI too), and the
 * marks that turn the direction of writing. The end of a line and a tab are the program's own.
 */
const obeyed = /\r(?!\n)|(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Text with each of those written out (`\u001b`), as JSON writes it: JSON stays the same JSON. */
export function harmless(text: string): string {
  return text.replace(obeyed, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
