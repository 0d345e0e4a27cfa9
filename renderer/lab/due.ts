import type { LabDue } from '../../shared/till/lab-views.ts';

type DueKind = LabDue['kind'] | 'window';

/** Something that comes by itself; `window`: the oldest waiting sale of this till becomes too old. */
export type Due = Pick<LabDue, 'id' | 'at'> & { readonly kind: DueKind } & Partial<Omit<LabDue, 'kind' | 'id' | 'at'>>;

/** How many of each kind come within a move of the clock; none of a kind is left out. */
export function dueWithin(due: readonly Due[], nowMs: number, moveMs: number): readonly (readonly [DueKind, number])[] {
  const counts = new Map<DueKind, number>();
  for (const { kind, at } of due) {
    if (Date.parse(at) <= nowMs + moveMs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts];
}
