import { WrongUseError } from './wrong-use.ts';

/**
 * What `--limit` names; null when it is not given.
 *
 * @param most.elsewhere what gives more than that, for whoever asks for more
 * @throws WrongUseError
 */
export function limitOf(
  values: ReadonlyMap<string, string>,
  most: { readonly count: number; readonly elsewhere?: string },
): number | null {
  const given = values.get('limit');
  if (given === undefined) return null;
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= most.count) return limit;
  const elsewhere = most.elsewhere === undefined ? '' : `; ${most.elsewhere}`;
  throw new WrongUseError(`--limit: must be a whole number from 1 to ${most.count}${elsewhere}`);
}
