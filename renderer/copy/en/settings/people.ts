import { countIn } from '../../../../shared/words/plural.ts';

const count = countIn('en');

/** The words for managers and cashiers. */
export const people = {
  modeNote: {
    sandbox: 'The people of the sandbox. Production has its own list.',
    production: 'The people of production. The sandbox has its own list.',
  },
  managers: 'Managers',
  cashiers: 'Cashiers',
  addManager: 'Add a manager',
  addCashier: 'Add a cashier',
  managersEmptyTitle: 'No manager yet',
  managersEmptyNext: 'Without a manager, anybody can change settings and write off sales.',
  cashiersEmptyTitle: 'No cashier yet',
  cashiersEmptyNext: 'With a badge, each sale shows the cashier.',
  reference: 'Employee',
  hasPin: 'Decides with a PIN',
  name: 'Name',
  pin: 'PIN',
  pinNote: '4 to 12 digits, not all the same.',
  pinAgain: 'PIN again',
  employeeRef: 'Employee’s code',
  employeeRefNote: 'The employee’s code at the loyalty service.',
  badge: 'Badge',
  badgeNote: 'Scan the badge, or type its code. Never shown again.',
  badgeRead: (n: number, written: string, ending: string) =>
    `${count(n, written, { one: '# character', other: '# characters' })}, ending ${ending}`,
  add: 'Add',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeManager: 'The PIN stops working. The manager’s decisions stay in the history.',
  removeLastManager: 'The last manager. Then nobody needs a PIN in this mode.',
  removeCashier: 'The badge stops working. Earlier sales keep the name.',
  wrong: {
    nameEmpty: 'Enter a name.',
    nameTaken: 'This name is on the list.',
    name: 'Use up to 64 characters, without a space at either end.',
    pin: 'Enter 4 to 12 digits, not all the same.',
    pinTaken: 'This PIN cannot be used. Choose another one.',
    pinDiffers: 'The two PINs differ. Enter both again.',
    employeeRef: 'Enter the employee’s code, without a space at either end.',
    badge: 'Scan the badge, or type its code.',
    badgeLong: 'A badge has at most 64 characters. Scan another one.',
    badgeTaken: 'Another cashier has this badge.',
  },
};
