import { useState } from 'preact/hooks';
import type { LabOverview, LabSettings } from '../../shared/till/lab-views.ts';
import { Icon } from '../components/icon.tsx';
import { Check, Choice, Failure, Field, Press, Skeletons } from './lab-parts.tsx';
import { LabHead } from './lab-table.tsx';
import {
  asAtFirst,
  changesOf,
  fieldMeant,
  type RuleField,
  type RuleGroup,
  ruleGroups,
  rulesOf,
  type TypedRules,
  typedSince,
} from './rule-fields.ts';
import { useLab } from './use-lab.ts';

const groups = Object.keys(ruleGroups) as readonly RuleGroup[];

/** The rules that are saved as soon as they are chosen. */
type ChosenRules = Partial<Pick<LabSettings, 'suspended' | 'default_template_id'>>;

/** The shop's rules at the service. */
export function RulesPanel() {
  const { lab, words } = useLab();
  const overview = lab.overview.value;
  if (overview === null) return <Skeletons label={words.loading} />;
  return <RulesForm overview={overview} />;
}

function RulesForm({ overview: { settings, templates } }: { readonly overview: LabOverview }) {
  const { lab, words } = useLab();
  const [typed, setTyped] = useState<TypedRules>({});
  const [badField, setBadField] = useState<string | null>(null);
  /** What was just chosen, and is being saved. */
  const [chosen, setChosen] = useState<ChosenRules>({});
  const shown = { ...settings, ...chosen };
  const rules = { ...rulesOf(settings), ...typed };
  /** @param sent what was typed of it. When it is saved, the form shows the saved rules there. */
  const take = async (changes: Readonly<Record<string, unknown>>, sent: TypedRules = {}): Promise<void> => {
    const answer = await lab.act('lab.change_settings', { changes });
    setBadField(answer === null ? fieldMeant(lab.failure.value?.error.field ?? '') : null);
    if (answer !== null) setTyped((now) => typedSince(now, sent));
  };
  const choose = async (changes: ChosenRules): Promise<void> => {
    if (lab.isBusy.value) {
      // The browser shows the press already. Drawn anew, the form takes it back.
      setChosen((now) => ({ ...now }));
      return;
    }
    setChosen(changes);
    await take(changes);
    setChosen({});
  };
  const noteOf = (field: RuleField): string | undefined => {
    if (field === 'rate_limit_requests') return words.rules.noLimit;
    return field === 'minor_per_point' ? words.rules.noWorth : undefined;
  };
  const labelOf = (field: RuleField): string => {
    const { label, unit } = words.rules.fields[field];
    const shown = field === 'minor_per_point' ? words.rules.minorUnits(settings.currency) : unit;
    return shown === null ? label : `${label} (${shown})`;
  };
  return (
    <form
      class="lab-panel"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void take(changesOf(rules), typed);
      }}
    >
      <LabHead title={words.rules.title} note={<p class="quiet">{words.rules.note}</p>} />
      <Failure />
      <Check
        label={words.rules.suspended}
        note={words.rules.suspendedNote}
        isChecked={shown.suspended}
        onChange={(suspended) => void choose({ suspended })}
      />
      {groups.map((group) => (
        <fieldset key={group} class="lab-part lab-sheet panel">
          <legend class="section-title">{words.rules.groups[group]}</legend>
          <div class="lab-grid lab-grid-even">
            {ruleGroups[group].map((field) => (
              <Field
                key={field}
                id={`lab-rule-${field}`}
                label={labelOf(field)}
                note={noteOf(field)}
                problem={badField === field ? words.rules.problem : undefined}
                direction="ltr"
                inputMode={field === 'currency' || field === 'default_region' ? 'text' : 'decimal'}
                value={rules[field]}
                onInput={(value) => {
                  setTyped((now) => ({ ...now, [field]: value }));
                  setBadField(null);
                  lab.forget();
                }}
              />
            ))}
            {group === 'shop' && (
              <Choice
                id="lab-rule-template"
                label={words.rules.fields.default_template_id.label}
                value={shown.default_template_id ?? ''}
                choices={[
                  { value: '', label: words.rules.noDefault },
                  ...templates.map(({ template_id, name }) => ({ value: template_id, label: name })),
                ]}
                onChoose={(templateId) => void choose({ default_template_id: templateId === '' ? null : templateId })}
              />
            )}
          </div>
        </fieldset>
      ))}
      <div class="lab-sheet-foot">
        <Press
          label={words.rules.defaults}
          icon="rotate-ccw"
          look="ghost"
          onPress={() => void take({ ...asAtFirst, default_template_id: 'tpl_reward' }, typed)}
        />
        <button type="submit" class="button button-primary" aria-disabled={lab.isBusy.value}>
          <Icon name="check" />
          {words.rules.save}
        </button>
      </div>
    </form>
  );
}
