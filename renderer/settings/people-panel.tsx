import { maxBadgeLength, maxNameLength, maxPinLength } from '../../shared/till/limits.ts';
import type { PersonView } from '../../shared/till/people-views.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { FormField } from '../components/form-field.tsx';
import { Icon } from '../components/icon.tsx';
import { useWhenAnswered } from '../frame/use-when-answered.ts';
import { useModel } from '../model.ts';
import { useSettings } from './context.ts';
import { failureNext } from './failure-next.ts';
import type { PersonForm, PersonProblem } from './people-state.ts';

/** Managers, who decide with a PIN, and cashiers, who sign in with a badge. */
export function PeoplePanel() {
  const { frame } = useModel();
  const { people, words } = useSettings();
  useWhenAnswered(people.read);
  const mode = frame.till.value?.mode ?? 'sandbox';
  const { form, removing } = people;
  return (
    <>
      <div class="notice tone-info people-mode">
        <Icon name="info" />
        <span>{words.people.modeNote[mode]}</span>
      </div>
      <RoleList of="manager" />
      <RoleList of="cashier" />
      {form.value !== null && <PersonDialog form={form.value} />}
      {removing.value !== null && <RemoveDialog />}
    </>
  );
}

function RoleList({ of: role }: { readonly of: PersonView['role'] }) {
  const { people, words } = useSettings();
  const all = people.people.value;
  const some = all?.filter((person) => person.role === role) ?? [];
  const isManager = role === 'manager';
  const title = isManager ? words.people.managers : words.people.cashiers;
  return (
    <section class="office-card" aria-labelledby={`people-${role}`}>
      <div class="office-list-head">
        <h3 id={`people-${role}`} class="office-label">
          {title}
        </h3>
        <button type="button" class="button button-outline" onClick={() => people.begin(role)}>
          <Icon name="user-plus" />
          {isManager ? words.people.addManager : words.people.addCashier}
        </button>
      </div>
      {all === null && <span class="skeleton office-skeleton-row" aria-hidden="true" />}
      {all !== null && some.length === 0 && (
        <p class="hollow">
          <strong>{isManager ? words.people.managersEmptyTitle : words.people.cashiersEmptyTitle}</strong>
          {isManager ? words.people.managersEmptyNext : words.people.cashiersEmptyNext}
        </p>
      )}
      {some.length > 0 && (
        <ul class="office-list stack" aria-label={title}>
          {some.map((person) => (
            <li key={person.name} class="office-item row gap-3" data-person={person.name}>
              <span class="tile tone-neutral">
                <Icon name={isManager ? 'key-round' : 'id-card'} />
              </span>
              <div class="office-item-text">
                <p class="office-item-name row wrap">
                  <bdi>{person.name}</bdi>
                </p>
                <p class="office-note">
                  {isManager ? (
                    words.people.hasPin
                  ) : (
                    <span>
                      {words.people.reference} <bdi class="key-ending">{person.employee_ref}</bdi>
                      {person.has_pin && ` · ${words.people.pin}`}
                    </span>
                  )}
                </p>
              </div>
              <button type="button" class="button button-ghost" onClick={() => people.askRemove(person)}>
                {words.people.remove}
                <span class="visually-hidden"> {person.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const fieldOfProblem: Readonly<Record<PersonProblem, 'name' | 'pin' | 'pinAgain' | 'employeeRef' | 'badge'>> = {
  nameEmpty: 'name',
  nameTaken: 'name',
  name: 'name',
  pin: 'pin',
  pinTaken: 'pin',
  pinDiffers: 'pinAgain',
  employeeRef: 'employeeRef',
  badge: 'badge',
  badgeLong: 'badge',
  badgeTaken: 'badge',
};

function PersonDialog({ form }: { readonly form: PersonForm }) {
  const { frame } = useModel();
  const { people, words } = useSettings();
  const isManager = form.role === 'manager';
  const wrong = (field: (typeof fieldOfProblem)[PersonProblem]): string | null =>
    form.problem !== null && fieldOfProblem[form.problem] === field ? words.people.wrong[form.problem] : null;
  const badgeLength = Array.from(form.badge.trim()).length;
  return (
    <FormDialog
      id="person-form"
      title={isManager ? words.people.addManager : words.people.addCashier}
      icon="user-plus"
      problem={form.problem}
      failure={form.failure}
      failureNext={failureNext(form.failure, words)}
      busy={form.busy}
      cancel={words.cancel}
      confirm={words.people.add}
      onCancel={people.close}
      onConfirm={() => void people.add()}
    >
      <FormField
        id="person-name"
        label={words.people.name}
        note=""
        wrong={wrong('name')}
        maxLength={maxNameLength}
        isFirst
        value={form.name}
        onInput={(name) => people.type({ name })}
      />
      {isManager ? (
        <>
          <FormField
            id="person-pin"
            label={words.people.pin}
            note={words.people.pinNote}
            wrong={wrong('pin')}
            type="password"
            inputMode="numeric"
            dir="ltr"
            maxLength={maxPinLength}
            value={form.pin}
            onInput={(pin) => people.type({ pin })}
          />
          <FormField
            id="person-pin-again"
            label={words.people.pinAgain}
            note=""
            wrong={wrong('pinAgain')}
            type="password"
            inputMode="numeric"
            dir="ltr"
            maxLength={maxPinLength}
            value={form.pinAgain}
            onInput={(pinAgain) => people.type({ pinAgain })}
          />
        </>
      ) : (
        <>
          <FormField
            id="person-ref"
            label={words.people.employeeRef}
            note={words.people.employeeRefNote}
            wrong={wrong('employeeRef')}
            dir="ltr"
            value={form.employeeRef}
            onInput={(employeeRef) => people.type({ employeeRef })}
          />
          <FormField
            id="person-badge"
            label={words.people.badge}
            note={
              badgeLength === 0
                ? words.people.badgeNote
                : words.people.badgeRead(
                    badgeLength,
                    frame.format.value.number(badgeLength),
                    form.badge.trim().slice(-Math.min(4, Math.floor(badgeLength / 2))),
                  )
            }
            wrong={wrong('badge')}
            type="password"
            dir="ltr"
            maxLength={maxBadgeLength}
            acceptsScan
            value={form.badge}
            onInput={(badge) => people.type({ badge })}
          />
        </>
      )}
    </FormDialog>
  );
}

function RemoveDialog() {
  const { people, words } = useSettings();
  const removing = people.removing.value;
  if (removing === null) return null;
  const { person } = removing;
  const managers = people.people.value?.filter(({ role }) => role === 'manager') ?? [];
  return (
    <FormDialog
      id="person-remove"
      title={words.people.removeTitle(person.name)}
      icon="user-x"
      tone="danger"
      failure={removing.failure}
      failureNext={failureNext(removing.failure, words)}
      busy={removing.busy}
      isDangerous
      cancel={words.cancel}
      confirm={words.people.remove}
      onCancel={people.close}
      onConfirm={() => void people.remove()}
    >
      <p>{person.role === 'manager' ? words.people.removeManager : words.people.removeCashier}</p>
      {person.role === 'manager' && managers.length === 1 && <p>{words.people.removeLastManager}</p>}
    </FormDialog>
  );
}
