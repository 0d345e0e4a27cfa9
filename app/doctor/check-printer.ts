import type { Clock } from '../../shared/lib/clock.ts';
import { printerAddress } from '../config/printer-address.ts';
import type { Settings } from '../config/settings.ts';
import { isPrinterThere } from '../receipts/printer.ts';
import { type Finding, problem, well } from './finding.ts';

/** Whether the receipt printer answers; nothing is printed. */
export async function checkPrinter(
  { address }: Settings['printer'],
  clock: Pick<Clock, 'setTimer'>,
): Promise<readonly Finding[]> {
  if (address === null) return [];
  if (await isPrinterThere(printerAddress(address), clock)) return [well('printer', `${address} answers`)];
  const advice = 'Check its cable and paper, and printer.address. Sales go on without it';
  return [problem('printer', `${address} does not answer`, advice)];
}
