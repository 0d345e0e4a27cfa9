import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { foldDigits } from '../../shared/lib/digits.ts';
import type { TillError } from '../../shared/till/api.ts';
import { isOneDigitRepeated, maxBadgeLength, pinShape } from '../../shared/till/limits.ts';
import type { PersonField, PersonView } from '../../shared/till/people-views.ts';
import type { ManagerSession } from './session.ts';

export type PersonProblem =
  | 'nameEmpty'
  | 'nameTaken'
  | 'name'
  | 'pin'
  | 'pinTaken'
  | 'pinDiffers'
  | 'employeeRef'
  | 'badge'
  | 'badgeLong'
  | 'badgeTaken';

/** The form for a person who is being added. */
export interface PersonForm {
  readonly role: PersonView['role'];
  readonly name: string;
  readonly pin: string;
  readonly pinAgain: string;
  readonly employeeRef: string;
  readonly badge: string;
  readonly problem: PersonProblem | null;
  readonly busy: boolean;
  readonly failure: TillError | null;
}

/** The person who is about to be removed. */
interface Removing {
  readonly person: PersonView;
  readonly busy: boolean;
  readonly failure: TillError | null;
}

export interface PeopleState {
  /** Null until the people were read. */
  readonly people: ReadonlySignal<readonly PersonView[] | null>;
  readonly form: ReadonlySignal<PersonForm | null>;
  readonly removing: ReadonlySignal<Removing | null>;
  readonly read: () => Promise<void>;
  readonly begin: (role: PersonView['role']) => void;
  readonly type: (part: Partial<Pick<PersonForm, 'name' | 'pin' | 'pinAgain' | 'employeeRef' | 'badge'>>) => void;
  readonly add: () => Promise<void>;
  readonly askRemove: (person: PersonView) => void;
  readonly remove: () => Promise<void>;
  readonly close: () => void;
}

const emptyForm: Omit<PersonForm, 'role'> = {
  name: '',
  pin: '',
  pinAgain: '',
  employeeRef: '',
  badge: '',
  problem: null,
  busy: false,
  failure: null,
};

/** The problem to show when the agent refused a field in which the page saw nothing wrong. */
const refusals: Readonly<Record<PersonField, PersonProblem>> = {
  name: 'name',
  pin: 'pinTaken',
  employee_ref: 'employeeRef',
  badge: 'badgeTaken',
};

export function createPeople(session: ManagerSession): PeopleState {
  const people: Signal<readonly PersonView[] | null> = signal(null);
  const form: Signal<PersonForm | null> = signal(null);
  const removing: Signal<Removing | null> = signal(null);

  const read = async (): Promise<void> => {
    // Behind the gate they are read again when the gate opens.
    if (session.gate.value !== null) return;
    const reply = await session.ask('people.list', {});
    if (reply.ok) people.value = reply.value.people;
  };

  const problemOf = ({ role, name, pin, pinAgain, employeeRef, badge }: PersonForm): PersonProblem | null => {
    if (name === '') return 'nameEmpty';
    if (people.value?.some((known) => known.name === name) === true) return 'nameTaken';
    if (role === 'manager') {
      if (!pinShape.test(pin) || isOneDigitRepeated(pin)) return 'pin';
      return pin === pinAgain ? null : 'pinDiffers';
    }
    if (employeeRef === '') return 'employeeRef';
    if (badge === '') return 'badge';
    // A scan can be longer than its field allows.
    return badge.length > maxBadgeLength ? 'badgeLong' : null;
  };

  const ask = ({ role, name, pin, employeeRef, badge }: PersonForm) =>
    role === 'manager'
      ? session.ask('people.add_manager', { name, new_pin: pin })
      : session.ask('people.add_cashier', { name, employee_ref: employeeRef, badge });

  return {
    people,
    form,
    removing,
    read,
    begin(role) {
      form.value = { ...emptyForm, role };
    },
    type(part) {
      if (form.value?.busy === false) form.value = { ...form.value, ...part, problem: null, failure: null };
    },
    async add() {
      const now = form.value;
      if (now === null || now.busy) return;
      const given: PersonForm = {
        ...now,
        name: now.name.trim(),
        pin: foldDigits(now.pin.trim()),
        pinAgain: foldDigits(now.pinAgain.trim()),
        employeeRef: now.employeeRef.trim(),
        badge: now.badge.trim(),
      };
      const problem = problemOf(given);
      if (problem !== null) {
        form.value = { ...now, problem };
        return;
      }
      const asked: PersonForm = { ...given, busy: true, failure: null };
      form.value = asked;
      const reply = await ask(given);
      // A form that was closed meanwhile stays closed: somebody else may stand there, and its PIN is not for them.
      if (form.value !== asked) return read();
      if (!reply.ok) {
        form.value = { ...given, busy: false, failure: reply.error };
      } else if (reply.value.kind === 'invalid') {
        form.value = { ...given, busy: false, problem: refusals[reply.value.field] };
      } else {
        form.value = null;
        if (given.role === 'manager') session.takePin(given.pin);
        await read();
      }
    },
    askRemove(person) {
      removing.value = { person, busy: false, failure: null };
    },
    async remove() {
      const now = removing.value;
      if (now === null || now.busy) return;
      const asked: Removing = { ...now, busy: true, failure: null };
      removing.value = asked;
      const reply = await session.ask('people.remove', { name: now.person.name });
      if (removing.value === asked) removing.value = reply.ok ? null : { ...now, busy: false, failure: reply.error };
      await read();
    },
    close() {
      batch(() => {
        form.value = null;
        removing.value = null;
      });
    },
  };
}
