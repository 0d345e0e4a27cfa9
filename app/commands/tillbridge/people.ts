import { peopleAgain, peopleDoubtsInWords } from '../../doctor/notice-words.ts';
import type { OfficeAnswer } from '../../office/office.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TillbridgeCommand } from './command.ts';
import { print, table } from './print.ts';
import { withOffice } from './reach-office.ts';
import { readSecret } from './read-secret.ts';
import { storeIt } from './store-it.ts';
import { WrongUseError } from './wrong-use.ts';

export const peopleList: TillbridgeCommand = {
  summary: 'list managers and cashiers',
  about: `Lists the managers with a PIN and the cashiers with a badge, and who has a PIN. PINs and badges are not shown.

Exit code 1: the list was changed by another program than Tillbridge; the names are told.`,
  flags: [],
  words: [],
  async run({ dataDir, mode, json }) {
    return withOffice(dataDir, mode, async (office) => {
      const answer = await office.call('people.list', {});
      const rows = answer.people.map(({ name, role, employee_ref, has_pin: hasPin }) => [
        name,
        role,
        employee_ref ?? '',
        hasPin ? 'yes' : '',
      ]);
      const { doubts } = answer;
      const isDoubted = doubts !== undefined && areDoubts(doubts);
      const list = rows.length === 0 ? 'Nobody yet.\n' : table([['NAME', 'ROLE', 'REFERENCE', 'PIN'], ...rows]);
      print(json, answer, () => (isDoubted ? `${list}\n${peopleDoubtsInWords(doubts)}.\n${peopleAgain()}.\n` : list));
      return isDoubted ? exitCodes.problemFound : exitCodes.well;
    });
  },
};

export const peopleAddManager: TillbridgeCommand = {
  summary: 'add a manager with a PIN',
  about: `Adds a manager. With a manager on the list, settings and write-offs need a PIN.
Type the PIN on standard input: 4 to 12 digits. There is no flag for it.`,
  flags: [],
  words: ['NAME'],
  async run({ words: [name = ''], dataDir, mode, json }) {
    const pin = await readSecret(`PIN of ${name}: `);
    return withOffice(dataDir, mode, async (office) => {
      return told(await office.call('people.add_manager', { by: storeIt(), name, pin }), json);
    });
  },
};

export const peopleAddCashier: TillbridgeCommand = {
  summary: 'add a cashier with a badge',
  about: `Adds a cashier. After the cashier has scanned the badge, each operation carries the reference as employee_ref.`,
  flags: [
    { name: 'badge', value: 'CODE', help: 'what the scanner reads from the badge, or a short code to type' },
    { name: 'employee-ref', value: 'REF', help: 'the name of this person at the loyalty service' },
  ],
  words: ['NAME'],
  async run({ values, words: [name = ''], dataDir, mode, json }) {
    const badge = values.get('badge');
    const employeeRef = values.get('employee-ref');
    if (badge === undefined || employeeRef === undefined) {
      throw new WrongUseError('--badge and --employee-ref are needed');
    }
    return withOffice(dataDir, mode, async (office) => {
      return told(
        await office.call('people.add_cashier', { by: storeIt(), name, badge, employee_ref: employeeRef }),
        json,
      );
    });
  },
};

export const peopleSetPin: TillbridgeCommand = {
  summary: "set a cashier's PIN",
  about: `Sets a cashier's PIN, in place of the old one. The cashier then signs in by name and PIN too.
Type the PIN on standard input: 4 to 12 digits. There is no flag for it.`,
  flags: [{ name: 'remove', value: null, help: 'take the PIN away; the badge still works' }],
  words: ['NAME'],
  async run({ switches, words: [name = ''], dataDir, mode, json }) {
    const isRemoved = switches.has('remove');
    const pin = isRemoved ? null : await readSecret(`PIN of ${name}: `);
    return withOffice(dataDir, mode, async (office) => {
      const answer = await office.call('people.set_pin', { by: storeIt(), name, pin });
      return told(answer, json, isRemoved ? 'has no PIN now' : 'has a PIN now');
    });
  },
};

export const peopleRemove: TillbridgeCommand = {
  summary: 'remove a manager or a cashier',
  about:
    'Removes a manager or a cashier. Their operations and decisions stay in the history.\n\nExit code 1: nobody has that name.',
  flags: [],
  words: ['NAME'],
  async run({ words: [name = ''], dataDir, mode, json }) {
    return withOffice(dataDir, mode, async (office) => {
      const answer = await office.call('people.remove', { by: storeIt(), name });
      print(json, answer, () =>
        answer.removed ? `${name} is off the list.\n` : `There is no manager or cashier ${name}.\n`,
      );
      return answer.removed ? exitCodes.well : exitCodes.problemFound;
    });
  },
};

function areDoubts({ changed, missing, is_list_whole }: NonNullable<OfficeAnswer<'people.list'>['doubts']>): boolean {
  return changed.length > 0 || missing.length > 0 || !is_list_whole;
}

const labels = { name: 'NAME', pin: 'PIN', badge: '--badge', employee_ref: '--employee-ref' } as const;

function told(answer: OfficeAnswer<'people.add_manager'>, json: boolean, done = 'is on the list'): number {
  if ('problem' in answer) throw new WrongUseError(`${labels[answer.field]}: ${answer.problem}`);
  print(json, answer, () => `${answer.person.name} ${done}.\n`);
  return exitCodes.well;
}
