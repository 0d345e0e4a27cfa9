/** Forgets what was put in first, until no more than so many are left. */
export function dropOldest(map: Map<unknown, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
