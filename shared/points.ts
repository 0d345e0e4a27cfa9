/**
 * Points have at most three decimals (decisions: "Errors and limits"). A sum or a difference of them is rounded to that:
 * floating point adds further decimals.
 */
export function roundPoints(points: number): number {
  return Math.round(points * 1000) / 1000;
}
