/** The answer of a command: JSON for programs, words for people. */
export function print(json: boolean, value: unknown, words: () => string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : words());
}

/** Columns of equal width, two spaces between them. A cell stays in its line, whatever is in it. */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => cell.replaceAll('\n', '\\n')));
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
