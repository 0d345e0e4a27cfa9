import '../styles/sections.css';
import '../styles/office.css';
import '../styles/office-parts.css';
import './diagnostics.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from '../components/icon.tsx';
import { SectionNav } from '../components/section-nav.tsx';
import { useWords } from '../copy/use-words.ts';
import { PageHead } from '../frame/page-head.tsx';
import { useModel } from '../model.ts';
import { BundlePanel } from './bundle-panel.tsx';
import { LinePanel } from './line-panel.tsx';
import { LogPanel } from './log-panel.tsx';
import { MachinePanel } from './machine-panel.tsx';
import { QueuePanel } from './queue-panel.tsx';
import { ScannerPanel } from './scanner-panel.tsx';
import { createDiagnostics, type DiagnosticsState, type Section, sections } from './state.ts';

const sectionIcons: Readonly<Record<Section, IconName>> = {
  line: 'wifi',
  queue: 'cloud-upload',
  machine: 'hard-drive',
  scanner: 'scan-line',
  log: 'scroll-text',
  bundle: 'package',
};

/** The health of this till, for store IT. The screen only reads, and changes nothing. */
export function DiagnosticsScreen() {
  const { api, clock, frame } = useModel();
  const words = useWords('diagnostics');
  const [state] = useState(() => createDiagnostics({ api, clock }));
  useEffect(() => state.begin(), [state]);
  const main = useRef<HTMLElement>(null);
  const shown = state.section.value;
  useEffect(() => main.current?.scrollTo({ top: 0 }), [shown]);
  const failure = state.failure.value;
  return (
    <main class="page office" data-screen="diagnostics">
      <PageHead screen="diagnostics">
        <button type="button" class="button button-outline" onClick={() => void state.look()}>
          <Icon name="refresh-cw" />
          {words.refresh}
        </button>
      </PageHead>
      <div class="office-body">
        <SectionNav
          label={words.parts}
          entries={sections.map((name) => ({ name, icon: sectionIcons[name], title: words.sections[name].title }))}
          current={shown}
          onGo={state.go}
        />
        <section class="office-main stack gap-4" ref={main} aria-labelledby="diagnostics-section">
          <header class="stack gap-1">
            <h2 id="diagnostics-section" class="title">
              {words.sections[shown].title}
            </h2>
            <p class="quiet">{words.sections[shown].about}</p>
          </header>
          {failure !== null && (
            <div class="notice tone-danger" role="alert">
              <Icon name="triangle-alert" />
              <span>
                <strong>{words.failed}</strong>
                <span class="notice-line">{frame.words.value.errors[failure.code].title}</span>
              </span>
            </div>
          )}
          <Shown state={state} />
        </section>
      </div>
    </main>
  );
}

function Shown({ state }: { readonly state: DiagnosticsState }) {
  const words = useWords('diagnostics');
  const diagnosis = state.diagnosis.value;
  switch (state.section.value) {
    case 'scanner':
      return <ScannerPanel />;
    case 'bundle':
      return <BundlePanel state={state} />;
    case 'log':
      return <LogPanel state={state} />;
    case 'line':
    case 'queue':
    case 'machine':
      break;
  }
  if (diagnosis === null) return <span class="skeleton office-skeleton" role="status" aria-label={words.reading} />;
  if (state.section.value === 'line') return <LinePanel diagnosis={diagnosis} />;
  if (state.section.value === 'queue') return <QueuePanel diagnosis={diagnosis} state={state} />;
  return <MachinePanel diagnosis={diagnosis} state={state} />;
}
