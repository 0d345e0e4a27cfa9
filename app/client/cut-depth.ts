/**
 * So many levels of an answer are looked at. The specification's own have six; SQLite reads a thousand and
 * `JSON.stringify` writes some thousands, but `JSON.parse` takes any number, and what it took could then be neither
 * kept nor told.
 */
const mostLevels = 64;

/** Parsed JSON without what lies deeper than `mostLevels`: null stands in its place. */
export function cutDepth(value: unknown): unknown {
  return isDeeperThan(value, mostLevels) ? cut(value, mostLevels) : value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // Parsed JSON has no inherited properties, and a list of its values would be made for each answer.
  for (const name in value) if (isDeeperThan(Reflect.get(value, name), levels - 1)) return true;
  return false;
}

function cut(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((part) => cut(part, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cut(part, levels - 1)]));
}
