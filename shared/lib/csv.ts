/**
 * One line of CSV (RFC 4180), ended by CR LF. A text that a spreadsheet would take for a formula gets an apostrophe in
 * front: references come from other programs.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // In one line: what opens it may take any of these for the end of a cell.
  const line = value.replaceAll(/\p{Cc}/gu, ' ');
  // NFKC: a spreadsheet in Japanese or Chinese takes the full-width signs, too. What is not seen hides no sign.
  const isFormula = /^[\p{Z}\p{Cf}]*[=+\-@]/u.test(line.normalize('NFKC'));
  const harmless = isFormula ? `'${line}` : line;
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
