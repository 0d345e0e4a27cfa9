/** Counts which rare branches a run came through. */
export class Marks {
  readonly counts = new Map<string, number>();

  /** Something happened that happens sometimes. */
  sometimes(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  add(others: Marks): void {
    for (const [name, count] of others.counts) this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }
}

/** What a long run has to reach. */
export const expectedMarks: readonly string[] = [];
