/** How long something is ago, for store IT: `5 hours`. */
export function ageInWords(ageMs: number): string {
  const hours = Math.floor(Math.max(0, ageMs) / 3_600_000);
  if (hours < 1) return 'less than an hour';
  if (hours < 48) return hours === 1 ? '1 hour' : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}
