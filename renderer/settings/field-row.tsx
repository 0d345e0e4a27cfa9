import type { ComponentChildren } from 'preact';
import { distances } from '../../shared/till/distances.ts';
import { keyPrefix } from '../../shared/till/key-prefix.ts';
import { locales, localeTable } from '../../shared/till/locales.ts';
import { modes } from '../../shared/till/modes.ts';
import type { ShownSetting } from '../../shared/till/settings-views.ts';
import { Icon } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { useSettings } from './context.ts';
import { fieldWords, idOf, textOf } from './fields.ts';
import { KeyField } from './key-field.tsx';

/** The two values of a switch. */
const switchSides = ['off', 'on'] as const;

interface FieldProps {
  readonly field: ShownSetting;
}

/** A setting: its name on one side, its value on the other. */
export function FieldRow({ field }: FieldProps) {
  const { settings, words } = useSettings();
  const said = fieldWords(words, field.name);
  const isChanged = settings.draft.value[field.name] !== undefined;
  const isWrong = settings.problems.value[field.name] !== undefined;
  const isGroup = ['mode', 'language', 'key', 'switch', 'distance'].includes(field.kind);
  const label = (
    <>
      {said.label}
      {isChanged && (
        <span class="office-dot">
          <span class="visually-hidden">{words.changed}</span>
        </span>
      )}
    </>
  );
  return (
    <div class="settings-row list-row" data-setting={field.name} data-locked={field.locked} data-wrong={isWrong}>
      <div class="settings-row-text">
        {isGroup ? (
          <span class="office-label" id={`${idOf(field)}-label`}>
            {label}
          </span>
        ) : (
          <label class="office-label" for={idOf(field)}>
            {label}
          </label>
        )}
        <p class="office-note" id={`${idOf(field)}-note`}>
          {said.note}
        </p>
      </div>
      <div class="settings-row-control field">
        {field.locked ? <Locked field={field} /> : <Control field={field} />}
        {isWrong && <Wrong field={field} />}
      </div>
    </div>
  );
}

function Wrong({ field }: FieldProps) {
  const { settings, words } = useSettings();
  const problem = settings.problems.value[field.name];
  const { name } = field;
  if (problem === undefined) return null;
  const said = (): string => {
    const prefix = keyPrefix[settings.mode.value];
    switch (problem) {
      case 'locked':
        return words.save.locked;
      case 'needed':
        return name === 'api_key' || name === 'base_url' ? words.needed[name] : fieldWords(words, name).wrong;
      case 'no_key':
        return words.key.noKey(prefix);
      case 'wrong_kind':
        return words.key.wrongKind(words.modes[settings.mode.value].title, prefix);
      case 'for_another_address':
        return words.key.forAnotherAddress;
      case 'wrong':
        return fieldWords(words, name).wrong;
    }
  };
  return (
    <p class="field-note field-error" id={`${idOf(field)}-wrong`} role="alert">
      <Icon name="circle-alert" size={16} />
      {said()}
    </p>
  );
}

/** A managed setting: its value, and who has set it. */
function Locked({ field }: FieldProps) {
  const { settings, words } = useSettings();
  const { source } = field;
  const isText = field.kind === 'text';
  return (
    <>
      <p class="settings-locked row gap-3">
        <Icon name="lock" size={16} />
        <bdi dir={isText ? 'auto' : 'ltr'} class="settings-locked-value">
          <LockedValue field={field} />
        </bdi>
      </p>
      <p class="field-note">
        {source === 'saved' || source === 'last_start' || source === 'default' ? '' : words.lockedBy[source]}.{' '}
        {words.lockedNote}
      </p>
      {settings.draft.value[field.name] !== undefined && (
        <button type="button" class="button button-outline" onClick={() => settings.putBack(field.name)}>
          {words.save.discard}
        </button>
      )}
    </>
  );
}

function LockedValue({ field }: FieldProps) {
  const { settings, words } = useSettings();
  const { value } = field;
  const mode = modes.find((known) => known === value);
  const locale = locales.find((known) => known === value);
  if (field.kind === 'mode' && mode !== undefined) return <>{words.modes[mode].title}</>;
  const side = switchSides.find((known) => known === value);
  if (field.kind === 'switch' && side !== undefined) return <>{words.switchSides[side]}</>;
  const distance = distances.find((known) => known === value);
  if (field.kind === 'distance' && distance !== undefined) return <>{words.distances[distance]}</>;
  if (field.kind === 'language' && locale !== undefined) return <>{localeTable[locale].name}</>;
  const text = textOf(field.kind, value, settings.currency.value);
  return <>{text === '' ? words.nothingByDefault : text}</>;
}

function Control({ field }: FieldProps) {
  const { words } = useSettings();
  switch (field.kind) {
    case 'key':
      return <KeyField field={field} />;
    case 'mode':
      return (
        <Choices
          field={field}
          options={modes.map((mode) => ({
            value: mode,
            label: words.modes[mode].title,
            detail: words.modes[mode].detail,
          }))}
        />
      );
    case 'language':
      return (
        <Choices
          field={field}
          options={locales.map((locale) => ({ value: locale, label: localeTable[locale].name, lang: locale }))}
        />
      );
    case 'switch':
      return (
        <Choices field={field} options={switchSides.map((value) => ({ value, label: words.switchSides[value] }))} />
      );
    case 'distance':
      return <Choices field={field} options={distances.map((value) => ({ value, label: words.distances[value] }))} />;
    case 'zone':
      return <ZoneField field={field} />;
    case 'money':
      return (
        <MoneyUnit>
          <TextField field={field} />
        </MoneyUnit>
      );
    case 'address':
    case 'code':
    case 'list':
    case 'names':
    case 'number':
    case 'text':
    case 'time':
      return <TextField field={field} />;
  }
}

interface ChoicesProps {
  readonly field: ShownSetting;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    readonly detail?: string;
    readonly lang?: string;
  }[];
}

/** A choice of a few values, side by side. */
function Choices({ field, options }: ChoicesProps) {
  const { settings } = useSettings();
  const chosen = settings.text(field);
  return (
    <div
      class="option-tiles"
      role="radiogroup"
      aria-labelledby={`${idOf(field)}-label`}
      aria-describedby={`${idOf(field)}-note`}
    >
      {options.map(({ value, label, detail, lang }) => (
        <label key={value} class="option-tile tickable tickable-tile row gap-3">
          <input
            type="radio"
            class="visually-hidden"
            name={idOf(field)}
            value={value}
            checked={chosen === value}
            onChange={() => settings.type(field.name, value)}
          />
          <span class="option-mark" aria-hidden="true" />
          <span class="two-lines">
            <span class="option-label" lang={lang}>
              {label}
            </span>
            {detail !== undefined && <span class="line-quiet">{detail}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}

function MoneyUnit({ children }: { readonly children: ComponentChildren }) {
  const { settings } = useSettings();
  return (
    <div class="settings-unit" dir="ltr">
      <span class="settings-unit-name">{settings.currency.value}</span>
      {children}
    </div>
  );
}

function ZoneField({ field }: FieldProps) {
  const { settings } = useSettings();
  const chosen = settings.text(field);
  const known = Intl.supportedValuesOf('timeZone');
  const zones = known.includes(chosen) ? known : [chosen, ...known];
  return (
    <select
      id={idOf(field)}
      class="text-input"
      dir="ltr"
      aria-describedby={describedBy(field, settings.problems.value[field.name] !== undefined)}
      value={chosen}
      onChange={(event) => settings.type(field.name, event.currentTarget.value)}
    >
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </select>
  );
}

function TextField({ field }: FieldProps) {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const { name, kind } = field;
  const isWrong = settings.problems.value[name] !== undefined;
  const fallback = textOf(kind, field.default_value, settings.currency.value);
  const plain = fallback === '' ? words.nothingByDefault : words.byDefault(frame.format.value.digits(fallback));
  return (
    <input
      id={idOf(field)}
      class="text-input"
      type="text"
      inputMode={kind === 'number' ? 'numeric' : kind === 'money' ? 'decimal' : kind === 'address' ? 'url' : 'text'}
      dir={kind === 'text' ? 'auto' : 'ltr'}
      spellcheck={false}
      autoComplete="off"
      maxLength={2000}
      aria-invalid={isWrong}
      aria-describedby={describedBy(field, isWrong)}
      placeholder={name === 'base_url' && settings.mode.value === 'sandbox' ? words.builtIn : plain}
      value={settings.text(field)}
      onInput={(event) => settings.type(name, event.currentTarget.value)}
    />
  );
}

function describedBy(field: ShownSetting, isWrong: boolean): string {
  return isWrong ? `${idOf(field)}-wrong ${idOf(field)}-note` : `${idOf(field)}-note`;
}
