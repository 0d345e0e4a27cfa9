/**
 * What points are worth under the tenant's rate, in minor units, rounded down (gap: Money, time, ids). Whole numbers all
 * the way: the product of two doubles would be a unit off where it is large, or just under a whole one.
 *
 * @param thousandths points as they are stored
 * @param minorPerPoint positive; read as the decimal number that it is written as
 */
export function pointsInMinor(thousandths: number, minorPerPoint: number): bigint {
  const [digits = '0', exponent = '0'] = String(minorPerPoint).split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  const worth = BigInt(thousandths) * BigInt(whole + fraction);
  const decimals = 3 + fraction.length - Number(exponent);
  return decimals >= 0 ? worth / 10n ** BigInt(decimals) : worth * 10n ** BigInt(-decimals);
}
