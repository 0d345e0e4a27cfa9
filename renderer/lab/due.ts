import type { LabDue } from '../../shared/till/lab-views.ts';

type DueKind = LabDue['kind'] | 'window';

/** Something that becomes due by itself; `window`: the sending deadline of this till's oldest waiting sale. */
export type Due = Pick<LabDue, 'id' | 'at'> & { readonly kind: DueKind } & Partial<Omit<LabDue, 'kind' | 'id' | 'at'>>;

/** How many of each kind become due when the clock is moved by `moveMs`. Only kinds with at least one. */
export function dueWithin(due: readonly Due[], nowMs: number, moveMs: number): readonly (readonly [DueKind, number])[] {
  const counts = new Map<DueKind, number>();
  for (const { kind, at } of due) {
    if (Date.parse(at) <= nowMs + moveMs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts];
}
