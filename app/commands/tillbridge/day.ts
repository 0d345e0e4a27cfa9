import { formatMoney } from '../../../shared/money.ts';
import { type CashierSum, cashierSumNames, cashierSums } from '../../../shared/till/cashier-sums.ts';
import { mostDaysListed } from '../../../shared/till/day-commands.ts';
import { dayCsv, totalText } from '../../../shared/till/day-csv.ts';
import { type DayOutcome, dayOutcomes } from '../../../shared/till/day-names.ts';
import type { Carried, DayLine, DayView } from '../../../shared/till/day-views.ts';
import { dayOutcomeWords } from '../../../shared/till/state-words.ts';
import { exitCodes } from '../exit-codes.ts';
import type { FlagSpec } from '../flags.ts';
import type { TillbridgeCommand } from './command.ts';
import { limitOf } from './limit-flag.ts';
import { businessDateOf } from './moment-flag.ts';
import { print, table } from './print.ts';
import { withOffice } from './reach-office.ts';
import { storeIt } from './store-it.ts';
import { WrongUseError } from './wrong-use.ts';

const dayFlag: FlagSpec = {
  name: 'day',
  value: 'YYYY-MM-DD',
  help: 'the business day; default: the current business day',
};

export const dayShow: TillbridgeCommand = {
  summary: 'show the figures of a business day',
  about: `Counts a business day by operation and currency: completed, waiting, refused, written off, reversed.
Of a closed day, shows the saved figures, sales that came after the closing, and the states of carried-over sales.

Exit code 1: an operation of this day or of an earlier day is open.`,
  flags: [dayFlag, { name: 'format', value: 'FORMAT', help: 'text (default), csv or json' }],
  words: [],
  async run({ values, dataDir, mode, json }) {
    const format = values.get('format') ?? (json ? 'json' : 'text');
    if (format !== 'text' && format !== 'csv' && format !== 'json') {
      throw new WrongUseError(`--format: ${format} is none of text, csv, json`);
    }
    const named = businessDateOf(values);
    return withOffice(dataDir, mode, async (office) => {
      const day = await office.call('day.read', named === null ? {} : { business_date: named });
      print(format === 'json', day, () => (format === 'csv' ? dayCsv(day) : dayWords(day)));
      return day.open.waiting + day.open.attention === 0 ? exitCodes.well : exitCodes.problemFound;
    });
  },
};

export const dayClose: TillbridgeCommand = {
  summary: 'close a business day',
  about: `Closes a business day, once, and saves its figures. Acknowledge the number of open operations of this and earlier
days with --acknowledge. They are carried over to the next closing. Where managers or cashiers exist, the day is closed
in the name of the user of this machine, and --person stands in the audit log alone.

Exit code 1: the day was closed before, has not begun, or has another number of open operations. The message says which.`,
  flags: [
    dayFlag,
    { name: 'person', value: 'NAME', help: 'who closes the day; default: the user of this machine' },
    { name: 'acknowledge', value: 'COUNT', help: 'the number of open operations that you have seen; default 0' },
  ],
  words: [],
  async run({ values, dataDir, mode, json }) {
    const acknowledged_open = countOf(values.get('acknowledge'));
    const named = businessDateOf(values);
    const by = storeIt();
    const closed_by = values.get('person') ?? by;
    return withOffice(dataDir, mode, async (office) => {
      const business_date = named ?? (await office.call('day.read', {})).today;
      const outcome = await office.call('day.close', { business_date, closed_by, by, acknowledged_open });
      switch (outcome.kind) {
        case 'closed':
          print(json, outcome, () => dayWords(outcome.day));
          return exitCodes.well;
        case 'already_closed':
          print(
            json,
            outcome,
            () => `${business_date} was closed by ${outcome.close.closed_by} at ${outcome.close.closed_at}.\n`,
          );
          return exitCodes.problemFound;
        case 'needs_acknowledgement': {
          const { waiting, attention } = outcome.open;
          const howTo =
            waiting + attention === 0
              ? 'Nothing is open: leave --acknowledge out.'
              : `--acknowledge ${waiting + attention} carries them over.`;
          print(
            json,
            outcome,
            () =>
              `Not closed: ${waiting} waiting, ${attention} ${attention === 1 ? 'needs' : 'need'} attention. ${howTo}\n`,
          );
          return exitCodes.problemFound;
        }
        case 'not_begun':
          print(json, outcome, () => `${business_date} has not begun: it is ${outcome.today}.\n`);
          return exitCodes.problemFound;
        case 'not_saved':
          print(json, outcome, () => 'Nothing was changed: the database could not be written.\n');
          return exitCodes.problemFound;
      }
    });
  },
};

export const dayList: TillbridgeCommand = {
  summary: 'list the closed days',
  about: 'Lists closed business days, newest first: when, by whom, and the number of carried-over operations.',
  flags: [{ name: 'limit', value: 'COUNT', help: 'the greatest number of days; default 31' }],
  words: [],
  async run({ values, dataDir, mode, json }) {
    const limit = limitOf(values, { count: mostDaysListed });
    return withOffice(dataDir, mode, async (office) => {
      const { closes } = await office.call('day.list', limit === null ? {} : { limit });
      const rows = closes.map((close) => [
        close.business_date,
        close.closed_at,
        close.closed_by,
        String(close.open_count),
      ]);
      print(json, { closes }, () =>
        rows.length === 0
          ? 'No day was closed yet.\n'
          : table([['DAY', 'CLOSED AT', 'CLOSED BY', 'CARRIED OVER'], ...rows]),
      );
      return exitCodes.well;
    });
  },
};

function countOf(text: string | undefined): number {
  const count = text === undefined ? 0 : Number(text);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new WrongUseError('--acknowledge: must be a whole number');
}

function dayWords(day: DayView): string {
  const { close, since_closing, carried_in, after_earlier, carried_out, open } = day;
  const head =
    close === null
      ? `${day.business_date}, not closed (counted at ${day.counted_at})\n`
      : `${day.business_date}, closed by ${close.closed_by} at ${close.closed_at}\n`;
  const openWords = `Open, of this day and before: ${open.waiting} waiting, ${open.attention} ${open.attention === 1 ? 'needs' : 'need'} attention\n`;
  return [
    head,
    linesWords(day.lines, 'No sales.\n'),
    since_closing === null || since_closing.count === 0
      ? ''
      : `\n${since_closing.count} since closing\n${linesWords(since_closing.lines, '')}`,
    cashiersWords(day),
    carriedWords(carried_in, 'Carried over from'),
    after_earlier === null || after_earlier.count === 0
      ? ''
      : `\n${after_earlier.count} came to ${carried_in?.business_date ?? 'the day before'} after its closing\n${linesWords(after_earlier.lines, '')}`,
    carriedWords(carried_out, 'Carried over to the next day from'),
    `\n${openWords}`,
  ].join('');
}

function linesWords(lines: readonly DayLine[], whenNone: string): string {
  if (lines.length === 0) return whenNone;
  const rows = lines.map((line) => [
    [line.intent, line.takes_back].filter((part) => part !== null).join(' of '),
    line.unit === 'money' ? (line.currency ?? '') : line.unit === 'none' ? '' : line.unit,
    ...dayOutcomes.map((outcome) => figureWords(line, outcome)),
  ]);
  return table([['WHAT', 'IN', ...dayOutcomes.map((outcome) => dayOutcomeWords.en[outcome].toUpperCase())], ...rows]);
}

function cashiersWords({ cashiers }: DayView): string {
  const told = cashiers ?? [];
  // Where nobody signs in, these are the figures of the day once more.
  if (told.every(({ employee_ref }) => employee_ref === null)) return '';
  const rows = told.map((cashier) => {
    const sums = cashierSums(cashier);
    const name = cashier.name ?? cashier.employee_ref ?? 'nobody';
    return [name, ...cashierSumNames.map((sum) => sums[sum].map(sumWords).join(' + ') || '-')];
  });
  return `\n${table([['CASHIER', ...cashierSumNames.map((name) => name.toUpperCase())], ...rows])}`;
}

function sumWords({ unit, currency, count, total }: CashierSum): string {
  if (unit === 'none') return String(count);
  return unit === 'money' ? formatMoney(total, currency ?? '', 'en') : `${total} ${unit}`;
}

function figureWords(line: DayLine, outcome: DayOutcome): string {
  const figure = line[outcome];
  if (figure.count === 0) return '-';
  const total = line.unit === 'money' ? formatMoney(figure.total, line.currency ?? '', 'en') : totalText(figure, line);
  return total === null ? String(figure.count) : `${figure.count}: ${total}`;
}

function carriedWords(carried: Carried | null, title: string): string {
  if (carried === null || carried.count === 0) return '';
  const parts = dayOutcomes
    .filter((outcome) => carried.outcomes[outcome] > 0)
    .map((outcome) => `${carried.outcomes[outcome]} ${dayOutcomeWords.en[outcome].toLowerCase()}`);
  return `\n${title} ${carried.business_date}: ${carried.count}, now ${parts.join(', ')}\n`;
}
