/** So many letters of a name may be wrong, left out, too many or exchanged, for each three that it has. */
const lettersPerSlip = 3;

/** @returns the known name that somebody has mistyped; null when none is near */
export function nearestTo(typed: string, names: readonly string[]): string | null {
  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const slips = slipsBetween(typed, name);
    if (slips < fewest && slips <= Math.max(1, Math.floor(name.length / lettersPerSlip))) {
      nearest = name;
      fewest = slips;
    }
  }
  return nearest;
}

/** The optimal string alignment distance, row by row of its table. */
function slipsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row += 1) {
    const above = rows[row - 1] ?? [];
    const here: number[] = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      here[column] = Math.min(
        (above[column] ?? 0) + 1,
        (here[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged ? (rows[row - 2]?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(here);
  }
  return rows[one.length]?.[other.length] ?? 0;
}
