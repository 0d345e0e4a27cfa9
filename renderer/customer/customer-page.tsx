import type { ReadonlySignal } from '@preact/signals';
import type { DisplayState } from '../../shared/till/display-views.ts';
import { type Locale, locales, localeTable } from '../../shared/till/locales.ts';
import { Icon } from '../components/icon.tsx';
import { makeFormat } from '../copy/format.ts';
import { Mark } from '../frame/mark.tsx';
import { AtTheTill } from './at-the-till.tsx';
import type { Visit } from './visit.ts';
import { VisitView } from './visit-view.tsx';
import { customerWords } from './words.ts';

interface CustomerPageProps {
  readonly state: ReadonlySignal<DisplayState | null>;
  /** This browser's session has ended. Only a new address starts another one. */
  readonly isEnded: ReadonlySignal<boolean>;
  readonly visit: Visit;
  readonly chosen: ReadonlySignal<Locale | null>;
  readonly onOther: (locale: Locale) => void;
}

export function CustomerPage({ state, isEnded, visit, chosen, onOther }: CustomerPageProps) {
  const now = state.value;
  const locale = chosen.value ?? now?.locale ?? 'en';
  const words = customerWords[locale];
  const format = makeFormat(locale, 'UTC');
  const other = locales.find((name) => name !== locale) ?? locale;
  const step = visit.step.value;
  return (
    <div class="cw-page" data-link={now === null ? (isEnded.value ? 'ended' : 'lost') : 'open'}>
      <header class="cw-top">
        <Mark />
        <bdi class="cw-shop cut">{now?.shop}</bdi>
        <button type="button" class="button button-ghost cw-language" lang={other} onClick={() => onOther(locale)}>
          <Icon name="languages" size={28} />
          {localeTable[other].name}
        </button>
      </header>
      {now === null ? (
        <main class="cw cw-one" data-customer="lost" aria-live="assertive">
          <span class="cw-seal cw-seal-quiet">
            <Icon name="plug-zap" size={88} />
          </span>
          <h1>{words.lost}</h1>
          <p>{words.lostNext}</p>
        </main>
      ) : now.view.kind === 'customer' && step.kind !== 'joined' ? (
        <AtTheTill view={now.view} isOnline={now.is_online} words={words} format={format} />
      ) : (
        <VisitView visit={visit} words={words} isOnline={now.is_online} />
      )}
    </div>
  );
}
