import '../styles/sections.css';
import '../styles/office.css';
import '../styles/office-parts.css';
import { effect, untracked } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { type SectionMark, SectionNav } from '../components/section-nav.tsx';
import { useOtherHands } from '../frame/other-hands.ts';
import { PageHead } from '../frame/page-head.tsx';
import { whenAnswered } from '../frame/when-answered.ts';
import { useModel } from '../model.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ConnectionTestPanel } from './connection-test.tsx';
import { SettingsContext, type SettingsParts, useSettings } from './context.ts';
import { FieldRow } from './field-row.tsx';
import { type SectionName, sectionIcons, sectionNames } from './fields.ts';
import { PinGate } from './gate.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { createLeaving } from './leaving.ts';
import { PeoplePanel } from './people-panel.tsx';
import { createPeople } from './people-state.ts';
import { SaveBar } from './save-bar.tsx';
import { createSettings } from './state.ts';
import { TokensPanel } from './tokens-panel.tsx';
import { createTokens } from './tokens-state.ts';

/** The settings of this till, for a manager. */
export function SettingsScreen() {
  const { api, clock, frame } = useModel();
  const [parts] = useState<SettingsParts>(() => {
    const settings = createSettings({ api, clock });
    return { settings, tokens: createTokens(settings.session), people: createPeople(settings.session) };
  });
  useEffect(() => {
    const { session, read } = parts.settings;
    // While the PIN is asked for, the PIN starts the reading.
    const endReading = whenAnswered(frame, () => {
      if (session.gate.value === null) void read();
    });
    // A new till comes here only for production, because practice needs no settings.
    const endPreset = effect(() => {
      if (parts.settings.view.value?.asks_mode !== true) return;
      untracked(() => parts.settings.type('mode', 'production'));
    });
    return () => {
      endReading();
      endPreset();
      // The PIN is forgotten when the screen is left.
      session.end();
    };
  }, [parts, frame]);
  useOtherHands(() => {
    parts.settings.session.leftAlone();
    // A token that was just made, and the PIN for a new manager, are for nobody else either.
    parts.tokens.close();
    parts.people.close();
  });
  return (
    <SettingsContext.Provider value={parts}>
      <SettingsPage />
    </SettingsContext.Provider>
  );
}

function SettingsPage() {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const [leaving] = useState(() => createLeaving(settings));
  useEffect(() => {
    const endAsking = frame.beforeLeaving(leaving.ask);
    return () => {
      endAsking();
      leaving.end();
    };
  }, [frame, leaving]);
  const { session, view, failure, confirming } = settings;
  const isOpen = session.gate.value === null && view.value !== null;
  return (
    <main
      class="page office"
      data-screen="settings"
      onPointerDown={session.touch}
      onKeyDown={session.touch}
      onInput={session.touch}
    >
      <PageHead screen="settings" />
      {session.gate.value !== null && <PinGate />}
      {session.gate.value === null && view.value === null && failure.value === null && (
        <div class="office-loading" role="status" aria-label={words.reading}>
          <span class="skeleton office-skeleton-nav" />
          <span class="skeleton office-skeleton" />
        </div>
      )}
      {failure.value !== null && view.value === null && <ReadFailure />}
      {isOpen && <OpenSettings />}
      {confirming.value !== null && <ConfirmDialog waiting={confirming.value} />}
      {leaving.asked.value && <LeaveDialog onStay={leaving.stay} />}
    </main>
  );
}

function ReadFailure() {
  const { frame } = useModel();
  const { settings, words } = useSettings();
  const { failure } = settings;
  if (failure.value === null) return null;
  const advice = frame.words.value.errors[failure.value.code];
  return (
    <div class="notice tone-danger" role="alert">
      <Icon name="triangle-alert" />
      <span>
        <strong>{words.failed}</strong>
        <span class="notice-line">{advice.title}</span>
      </span>
    </div>
  );
}

function OpenSettings() {
  const { settings, words } = useSettings();
  const { section } = settings;
  const main = useRef<HTMLElement>(null);
  const shown = section.value;
  const markOf = useMark();
  useEffect(() => main.current?.scrollTo({ top: 0 }), [shown]);
  return (
    <div class="office-body">
      <SectionNav
        label={words.parts}
        entries={sectionNames.map((name) => ({
          name,
          icon: sectionIcons[name],
          title: words.sections[name].title,
          mark: markOf(name),
        }))}
        current={shown}
        onGo={settings.go}
      />
      <section class="office-main stack gap-4" ref={main} aria-labelledby="settings-section">
        <Banners />
        <header class="stack gap-1">
          <h2 id="settings-section" class="title">
            {words.sections[shown].title}
          </h2>
          <p class="quiet">{words.sections[shown].about}</p>
        </header>
        <Fields section={shown} />
        {shown === 'service' && <ConnectionTestPanel />}
        {shown === 'pos' && <TokensPanel />}
        {shown === 'people' && <PeoplePanel />}
      </section>
      <SaveBar />
    </div>
  );
}

/** The mark beside a section's name. */
function useMark(): (name: SectionName) => SectionMark | null {
  const { settings, words } = useSettings();
  return (name) => {
    const fields = settings.fieldsOf(name);
    if (fields.some((field) => settings.problems.value[field.name] !== undefined)) {
      return { kind: 'wrong', says: words.save.needsLook };
    }
    const isChanged = fields.some((field) => settings.draft.value[field.name] !== undefined);
    return isChanged ? { kind: 'changed', says: words.changed } : null;
  };
}

function Fields({ section }: { readonly section: SectionName }) {
  const { settings } = useSettings();
  const fields = settings.fieldsOf(section);
  if (fields.length === 0) return null;
  return (
    <div class="office-card">
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} />
      ))}
    </div>
  );
}

/** Notices that concern all settings. */
function Banners() {
  const { settings, words } = useSettings();
  const view = settings.view.value;
  if (view === null) return null;
  return (
    <>
      {view.restart_needed && (
        <div class="notice tone-info" role="status" data-restart="needed">
          <Icon name="info" />
          <span>
            <strong>{words.restart.title}</strong>
            <span class="notice-line">{words.restart.next}</span>
          </span>
        </div>
      )}
      {view.problems.length > 0 && (
        <Lines
          tone="danger"
          title={words.broken}
          lines={view.problems.map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`))}
        />
      )}
      {view.warnings.length > 0 && <Lines tone="warning" title={words.warnings} lines={view.warnings} />}
    </>
  );
}

function Lines({
  tone,
  title,
  lines,
}: {
  readonly tone: 'warning' | 'danger';
  readonly title: { readonly title: string; readonly next: string };
  readonly lines: readonly string[];
}) {
  return (
    <div class={`notice tone-${tone}`}>
      <Icon name="triangle-alert" />
      <div>
        <strong>{title.title}</strong>
        <span class="notice-line">{title.next}</span>
        <ul class="settings-lines stack gap-1">
          {lines.map((line) => (
            <li key={line} class="ref" dir="ltr">
              {line}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
