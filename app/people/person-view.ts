import type { PersonView } from '../../shared/till/people-views.ts';
import type { Person } from '../store/people/people-store.ts';
import type { PeopleCommands } from './people.ts';

/** A person as the doors tell of them. */
export function personView({ name, role, employeeRef }: Person, people: Pick<PeopleCommands, 'hasPin'>): PersonView {
  return { name, role, employee_ref: employeeRef, has_pin: role === 'manager' || people.hasPin(name) };
}
