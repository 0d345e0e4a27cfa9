import { countIn } from '../../../shared/words/plural.ts';
import { connectionTest } from './settings/connection-test.ts';
import { settingsFields } from './settings/fields.ts';
import { people } from './settings/people.ts';
import { tokens } from './settings/tokens.ts';

const count = countIn('en');

export const words = {
  reading: 'Reading the settings',
  parts: 'Parts of the settings',
  sections: {
    service: { title: 'Loyalty service', about: 'The service of this till, and the API key for it.' },
    till: { title: 'This till', about: 'The names of this till and its branch.' },
    sales: { title: 'Sales', about: 'Currency, limits, cards and the business day.' },
    data: { title: 'Offline and data', about: 'How long sales may wait, and how long customers are saved.' },
    pos: { title: 'POS programs', about: 'The programs that may send sales through this till.' },
    people: { title: 'People', about: 'Managers decide with a PIN. A cashier’s badge names each sale.' },
  },
  fields: settingsFields,
  modes: {
    sandbox: { title: 'Sandbox', detail: 'Practice only' },
    production: { title: 'Production', detail: 'Real customers' },
  },
  switchSides: { off: 'Off', on: 'On' },
  distances: { close: 'Close', normal: '80 cm', far: 'Far' },
  byDefault: (value: string) => `Empty: ${value}`,
  nothingByDefault: 'None',
  builtIn: 'Empty: the built-in sandbox',
  changed: 'Changed, not saved yet',
  lockedBy: {
    managed: 'Set by store IT’s settings file',
    flag: 'Set by the start command',
    environment: 'Set by an environment variable',
  },
  lockedNote: 'Cannot be changed here.',
  needed: {
    base_url: 'Production needs the address of the loyalty service.',
    api_key: 'This service needs an API key.',
  },
  key: {
    kept: 'API key saved, ending in',
    none: 'No API key saved',
    noneNeeded: 'The built-in sandbox needs no API key.',
    sealed: 'Tillbridge cannot read the saved API key. Enter the key again.',
    otherMode: (mode: string) => `${mode} has its own API key. Enter a key to add or replace one.`,
    replace: 'Replace',
    enter: 'Enter an API key',
    remove: 'Remove',
    keep: 'Keep the old API key',
    label: 'New API key',
    removed: 'Save to remove the API key.',
    starts: (prefix: string) => `Begins with ${prefix}`,
    wrongKind: (mode: string, prefix: string) => `Wrong mode. ${mode} needs a key that begins with ${prefix}.`,
    forAnotherAddress: 'The saved API key belongs to another address. Enter the key again.',
    noKey: (prefix: string) => `Not an API key. A key begins with ${prefix}.`,
  },
  leave: { title: 'Leave without saving?', stay: 'Stay', leave: 'Leave' },
  save: {
    changes: (n: number, written: string) =>
      count(n, written, { one: '# change not saved', other: '# changes not saved' }),
    save: 'Save',
    saving: 'Saving',
    discard: 'Discard',
    saved: 'Saved',
    refused: (n: number, written: string) =>
      count(n, written, {
        one: 'Nothing was saved. Correct # field.',
        other: 'Nothing was saved. Correct # fields.',
      }),
    needsLook: 'Correct this field',
    refusedWhole: 'Nothing was saved:',
    locked: 'This setting is locked now. Discard the change.',
  },
  restart: {
    title: 'Saved for the next start',
    next: 'Close Tillbridge and open it again to use the new settings.',
  },
  warnings: {
    title: 'A settings file is wrong',
    next: 'Tillbridge uses the last good settings. Store IT must correct this:',
  },
  broken: { title: 'Tillbridge cannot start with these settings', next: 'Store IT must correct this:' },
  confirm: {
    title: (n: number, written: string) =>
      count(n, written, { one: '# sale is waiting', other: '# sales are waiting' }),
    inMode: {
      sandbox: (n: number, written: string) =>
        count(n, written, { one: '# in the sandbox', other: '# in the sandbox' }),
      production: (n: number, written: string) =>
        count(n, written, { one: '# in production', other: '# in production' }),
    },
    unread: {
      title: 'Sales may be waiting',
      inMode: { sandbox: 'Unknown in the sandbox', production: 'Unknown in production' },
    },
    about: 'The sales belong to another API key, address or mode. No sale is lost.',
    points: [
      'Tillbridge first asks the service which sales it has.',
      'Sales that the new key cannot find need attention.',
      'Better: wait until everything is sent.',
    ],
    save: 'Save anyway',
    back: 'Go back',
  },
  gate: {
    title: 'A manager’s PIN',
    about: 'Enter the PIN to see settings, keys and people.',
    label: 'Manager’s PIN',
    open: 'Open',
    checking: 'Checking',
    keypad: 'Digits',
    erase: 'Erase',
    wrong: (n: number, written: string) =>
      count(n, written, { one: 'Wrong PIN. # more try.', other: 'Wrong PIN. # more tries.' }),
    wrongPlain: 'Wrong PIN. Enter the PIN again.',
    locked: (time: string) => `Too many wrong PINs. Try again in ${time}.`,
    again: 'Tillbridge asks again after 5 minutes without a touch.',
  },
  test: connectionTest,
  tokens,
  people,
  cancel: 'Cancel',
  failed: 'The change failed',
  failedNext: {
    notSaved: 'Nothing was changed. The disk cannot be written. Call store IT.',
    noAnswer: 'Wait for Tillbridge, then check whether the change was saved.',
  },
};

/** The words of the settings screen in one language. */
export type SettingsWords = typeof words;
