import { localeTable, otherLocale } from '../../shared/till/locales.ts';
import type { TillState } from '../../shared/till/views.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { useModel } from '../model.ts';
import { laterScreens } from '../screens.ts';
import { type Screen, type Theme, themes } from './frame.ts';

const themeIcons: Readonly<Record<Theme, IconName>> = { system: 'monitor', light: 'sun', dark: 'moon' };

interface MenuEntriesProps {
  readonly till: TillState;
  readonly onChosen: () => void;
}

/** The entries in the menu of the screens. */
export function MenuEntries({ till, onChosen }: MenuEntriesProps) {
  const { frame, guide } = useModel();
  const words = frame.words.value;
  const entries: readonly { readonly name: Screen; readonly icon: IconName }[] = [
    { name: 'sale', icon: 'scan-line' },
    ...laterScreens.filter((screen) => screen.isFor(till)),
  ];
  return (
    <>
      {entries.map(({ name, icon }) => (
        <button
          key={name}
          type="button"
          class="screen-entry row gap-3"
          data-to={name}
          aria-current={frame.screen.value === name ? 'page' : undefined}
          onClick={() => {
            onChosen();
            frame.show(name);
          }}
        >
          <Icon name={icon} />
          {words.screens[name]}
        </button>
      ))}
      <hr class="screen-rule" />
      {till.has_cashiers && <CashierEntries till={till} onChosen={onChosen} />}
      {till.mode === 'sandbox' && till.lab !== null && guide.shift.value === null && (
        <button
          type="button"
          class="screen-entry row gap-3"
          onClick={() => {
            onChosen();
            if (frame.show('sale')) guide.startShift();
          }}
        >
          <Icon name="list-checks" />
          {words.frame.practiceShift}
        </button>
      )}
      <button
        type="button"
        class="screen-entry row gap-3"
        onClick={() => {
          onChosen();
          guide.openHelp();
        }}
      >
        <Icon name="circle-help" />
        {words.frame.help}
      </button>
      <ThemeEntry />
      <LanguageEntry />
    </>
  );
}

/** The language in the menu, for a page zoomed to 200 %, where the bar has no room for it. */
function LanguageEntry() {
  const { frame } = useModel();
  const other = otherLocale(frame.locale.value);
  return (
    <button type="button" class="screen-entry language-entry row gap-3" onClick={() => frame.setLocale(other)}>
      <Icon name="languages" />
      <span lang={other}>{localeTable[other].name}</span>
    </button>
  );
}

function CashierEntries({ till, onChosen }: MenuEntriesProps) {
  const { frame, cashier } = useModel();
  const words = frame.words.value.cashier;
  const entry = (icon: IconName, text: string, act: () => void) => (
    <button
      type="button"
      class="screen-entry row gap-3"
      onClick={() => {
        onChosen();
        act();
      }}
    >
      <Icon name={icon} mirrors={icon === 'log-in' || icon === 'log-out'} />
      {text}
    </button>
  );
  if (till.cashier === null) return entry('log-in', words.signIn, cashier.ask);
  return (
    <>
      {entry('repeat', words.switch, cashier.ask)}
      {entry('lock', words.lock, () => {
        // The button gives up the focus before the screen locks. So after the lock the focus goes to the sale.
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        void cashier.lock();
      })}
      {entry('log-out', words.signOut(till.cashier.name), () => void cashier.signOut())}
    </>
  );
}

function ThemeEntry() {
  const { frame } = useModel();
  const words = frame.words.value.frame;
  const theme = frame.theme.value;
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  return (
    <button type="button" class="screen-entry row gap-3" onClick={() => frame.setTheme(next)}>
      <Icon name={themeIcons[theme]} />
      {`${words.theme}: ${words.themes[theme]}`}
    </button>
  );
}
