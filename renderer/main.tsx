import './styles/index.css';
import { computed, effect } from '@preact/signals';
import { render } from 'preact';
import { localeNamed, localeTable } from '../shared/till/locales.ts';
import { App } from './app.tsx';
import { type Copy, openCopy } from './copy/copy.ts';
import { keepFindFocused } from './find/focus.ts';
import { keepDistance, keepTheme } from './frame/theme.ts';
import { whenCalm } from './frame/when-calm.ts';
import { openHelpByKey } from './guide/help-key.ts';
import { createModel, type Model, ModelContext } from './model.ts';
import { canBePin } from './sale/entry/keys-aside.ts';
import { listenToScanner } from './scanner/listen.ts';
import { routeScans } from './scanner/route-scan.ts';
import { fetchCode } from './shell/fetch-code.ts';
import { pageClock } from './shell/page-clock.ts';
import { pageMemory } from './shell/page-memory.ts';
import { pickShell } from './shell/pick-shell.ts';
import { listenToPresses } from './shell/presses.ts';
import { makeSounds } from './shell/sound.ts';

const memory = pageMemory(window);

/** The agent may be back after this time. */
const openAgainMs = 1_000;

/** The page's composition root: the only place that knows the browser's clock, ids and storage. */
function start(copy: Copy): void {
  const model = createModel({
    api: pickShell(window, pageClock),
    clock: pageClock,
    presses: listenToPresses(window),
    newId: () => crypto.randomUUID(),
    sounds: makeSounds(),
    memory,
    copy,
  });

  const { documentElement } = document;
  effect(() => {
    const locale = model.frame.locale.value;
    documentElement.lang = locale;
    documentElement.dir = localeTable[locale].direction;
  });
  keepTheme(window, model.frame.theme);
  keepDistance(window, model.frame.till);

  // The order matters: the find box must take the first key before the scanner's listener looks where it went.
  keepFindFocused(window);
  listenToScanner(window, {
    pressedAtMs: model.presses.pressedAtMs,
    onBegin: model.sale.keysBegin,
    onPutBack: model.sale.keysWereScan,
    canBePin: (code) => canBePin(code, model.frame.till.value?.card_pattern ?? null),
    isNobodyInFront: () => model.sale.stage.peek().kind === 'idle',
    onScan: routeScans(document, model),
  });
  openHelpByKey(window, model.guide.openHelp);
  const root = document.getElementById('app');
  if (root !== null) {
    render(
      <ModelContext.Provider value={model}>
        <App />
      </ModelContext.Provider>,
      root,
    );
    const isStateShown = computed(() => model.frame.till.value !== null);
    // This comes early, because it brings the keys that a quick cashier presses at once.
    whenCalm(window, { isShown: isStateShown, latestMs: 100 }, () => atRest(model));
    whenCalm(window, { isShown: isStateShown, latestMs: 2_000 }, model.frame.becomesCalm);
  }
}

const fetchAtRest = fetchCode(() => import('./at-rest.ts'));

function atRest(model: Model): void {
  fetchAtRest().then(
    ({ beginAtRest }) => beginAtRest(window, model),
    () => void pageClock.setTimer(() => atRest(model), openAgainMs),
  );
}

/** Loads the words first, in the language that was shown last. */
function open(): void {
  const locale = localeNamed(memory.read('locale')) ?? 'en';
  openCopy({ clock: pageClock, locale }).then(start, () => void pageClock.setTimer(open, openAgainMs));
}
open();
