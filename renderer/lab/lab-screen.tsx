import '../styles/sections.css';
import './lab.css';
import './lab-parts.css';
import type { FunctionComponent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Icon, type IconName } from '../components/icon.tsx';
import { PageHead } from '../frame/page-head.tsx';
import { useModel } from '../model.ts';
import { ClockPanel } from './clock-panel.tsx';
import { CodesPanel } from './codes-panel.tsx';
import { CustomersPanel } from './customers-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { PracticePanel } from './practice-panel.tsx';
import { RequestsPanel } from './requests-panel.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { createLab, type Lab, type Section, sections } from './state.ts';
import { LabContext, useLab } from './use-lab.ts';

const panels: Readonly<Record<Section, { readonly icon: IconName; readonly panel: FunctionComponent }>> = {
  practice: { icon: 'flask-conical', panel: PracticePanel },
  customers: { icon: 'id-card', panel: CustomersPanel },
  codes: { icon: 'phone', panel: CodesPanel },
  clock: { icon: 'timer', panel: ClockPanel },
  faults: { icon: 'plug-zap', panel: FaultsPanel },
  requests: { icon: 'scroll-text', panel: RequestsPanel },
  keys: { icon: 'key-round', panel: KeysPanel },
  rules: { icon: 'settings', panel: RulesPanel },
};

/** The sandbox and all its controls: those for trainers first, then those for QA. */
export function LabScreen() {
  const { api, clock, frame } = useModel();
  const lab = useMemo(() => createLab({ api, clock }), [api, clock]);
  useEffect(() => lab.start(), [lab]);
  const changeCount = frame.till.value?.lab?.change_count;
  useEffect(() => lab.changed(), [lab, changeCount]);
  return (
    <LabContext.Provider value={lab}>
      <LabFrame />
    </LabContext.Provider>
  );
}

function LabFrame() {
  const { lab, words } = useLab();
  const section = lab.section.value;
  const Panel = panels[section].panel;
  const content = useRef<HTMLElement>(null);
  useEffect(() => content.current?.scrollTo({ top: 0 }), [section]);
  return (
    <main class="page lab" data-screen="lab" data-section={section}>
      <PageHead screen="lab">
        <button type="button" class="button button-outline" onClick={() => lab.askReset(true)}>
          <Icon name="rotate-ccw" />
          {words.reset.open}
        </button>
      </PageHead>
      <div class="office-body">
        <Sections lab={lab} />
        <section
          ref={content}
          class="lab-content"
          id="lab-panel"
          role="tabpanel"
          aria-labelledby={`lab-tab-${section}`}
        >
          <Panel />
        </section>
      </div>
      {lab.isResetAsked.value && <ResetDialog onClose={() => lab.askReset(false)} />}
    </main>
  );
}

function Sections({ lab }: { readonly lab: Lab }) {
  const { words } = useLab();
  const { frame } = useModel();
  const list = useRef<HTMLDivElement>(null);
  const current = lab.section.value;
  const counts: Partial<Record<Section, number>> = {
    faults: (lab.faults.value ?? []).filter(({ hits_left: left }) => left !== 0).length,
    codes: (lab.codes.value ?? []).filter((code) => Date.parse(code.expires_at) > frame.nowMs.value).length,
  };
  const move = (step: number): void => {
    const index = sections.indexOf(current) + step;
    const next = sections[(index + sections.length) % sections.length] ?? current;
    lab.show(next);
    list.current?.querySelector<HTMLElement>(`#lab-tab-${next}`)?.focus();
  };
  return (
    <div
      ref={list}
      class="office-nav lab-tabs stack gap-1"
      role="tablist"
      aria-orientation="vertical"
      aria-label={words.menu}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') move(1);
        else if (event.key === 'ArrowUp') move(-1);
        else return;
        event.preventDefault();
      }}
    >
      {sections.map((name) => {
        const count = counts[name] ?? 0;
        return (
          <button
            key={name}
            id={`lab-tab-${name}`}
            type="button"
            role="tab"
            class="office-tab lab-tab row gap-3"
            data-section={name}
            aria-selected={name === current}
            aria-controls="lab-panel"
            tabIndex={name === current ? 0 : -1}
            onClick={() => lab.show(name)}
          >
            <Icon name={panels[name].icon} />
            <span class="office-tab-name">{words.sections[name]}</span>
            {count > 0 && <span class="lab-count">{frame.format.value.number(count)}</span>}
          </button>
        );
      })}
    </div>
  );
}
