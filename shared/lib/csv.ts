/**
 * One line of CSV (RFC 4180), ended by CR LF. References come from other programs, so a text that a spreadsheet would
 * run as a formula gets an apostrophe in front.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  // Control characters become spaces, because a program that opens the file may take any of them for a cell's end.
  const line = value.replaceAll(/\p{Cc}/gu, ' ');
  // NFKC, because a Japanese or Chinese spreadsheet accepts full-width signs, too. Invisible characters before the sign
  // are skipped.
  const isFormula = /^[\p{Z}\p{Cf}]*[=+\-@]/u.test(line.normalize('NFKC'));
  const harmless = isFormula ? `'${line}` : line;
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
