import type { OperationView } from '../../shared/till/views.ts';

/**
 * Whether a view of an operation was overtaken by another view of it. Its times do not tell, because the till's clock
 * may be set back.
 */
export function isOlder(view: Pick<OperationView, 'version'>, known: Pick<OperationView, 'version'>): boolean {
  return view.version < known.version;
}
