import type { AgentCore } from '../../app/core/agent-core.ts';
import type { DayCommands } from '../../app/operations/days/day-books.ts';
import type { PeopleCommands } from '../../app/people/people.ts';
import { noDoubts } from '../../app/store/people/people-roll.ts';
import { fakeNowMs } from './fake-records.ts';

/** Nobody is on the list. */
export const noPeople: PeopleCommands = {
  list: () => [],
  doubts: () => noDoubts,
  isListed: () => false,
  hasCashiers: false,
  hasManagers: false,
  checkBadge: () => ({ kind: 'unknown' }),
  badgeAmong: () => null,
  hasPin: () => false,
  checkCashierPin: async () => ({ kind: 'wrong', attemptsLeft: 4 }),
  setCashierPin: async () => ({ kind: 'invalid', field: 'name', problem: 'nobody is kept here' }),
  checkPin: async () => ({ kind: 'no_managers' }),
  hasTillManagers: false,
  checkTillPin: async () => ({ kind: 'no_managers' }),
  addManager: async () => ({ kind: 'invalid', field: 'name', problem: 'nobody is kept here' }),
  addCashier: async () => ({ kind: 'invalid', field: 'name', problem: 'nobody is kept here' }),
  remove: async () => false,
};

/** Nothing was sold on any day. */
export const noDays: DayCommands = {
  read: async (date) => ({
    businessDate: date ?? '2026-11-20',
    today: '2026-11-20',
    countedAtMs: fakeNowMs,
    close: null,
    lines: [],
    cashiers: [],
    sinceClosing: null,
    open: { waiting: 0, attention: 0 },
    carriedIn: null,
    afterEarlier: null,
    carriedOut: null,
  }),
  close: async () => ({ kind: 'not_saved', message: 'no books are kept here' }),
  list: () => [],
};

/** Holds nothing of anybody. */
export const noPersons: AgentCore['persons'] = {
  show: async (name) => ({ names: [name], operations: [], profiles: [], unreadable: [] }),
  erase: async (name) => ({
    names: [name],
    operations: [],
    profiles: [],
    unreadable: [],
    stays: [],
    isLogLeft: false,
    isGapLeft: false,
  }),
};
