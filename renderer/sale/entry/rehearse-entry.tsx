import { render } from 'preact';
import { type Model, ModelContext } from '../../model.ts';
import { openEntry } from './entry-flow.ts';
import { EntryContent } from './entry-panel.tsx';

/**
 * Makes an entry while nothing else is to be done: then the first press of an operation opens its entry about as
 * quickly as every later one, because its code is compiled and its styles and letters are known.
 * It is made and gone in one go, so that no key, no press and no reader of the screen ever meets it.
 */
export function rehearseEntry(document: Document, model: Model): void {
  // Somebody was quicker.
  if (model.sale.entry.value !== null) return;
  const stage = document.createElement('div');
  stage.className = 'rehearsal';
  stage.inert = true;
  document.body.append(stage);
  const nobody = { identifier: { loyalty_id: '' }, customerName: null, card: null, hint: null };
  const entry = openEntry('', 'earn_amount', nobody, model.frame.till.value?.currency ?? 'KWD');
  render(
    <ModelContext.Provider value={model}>
      <EntryContent entry={entry} />
    </ModelContext.Provider>,
    stage,
  );
  // What an entry may come to need is there when it is asked for.
  void Promise.all([
    import('./asked-pin.tsx'),
    import('./spend-fields.tsx'),
    import('./entry-question.tsx'),
    import('./entry-failure.tsx'),
    import('./letter-keys.tsx'),
  ]).catch(() => undefined);
  // Asked for its place, the browser lays it out.
  stage.getBoundingClientRect();
  render(null, stage);
  stage.remove();
}
