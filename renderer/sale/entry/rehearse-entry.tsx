import { render } from 'preact';
import { defaultCurrency } from '../../../shared/contract/default-currency.ts';
import { type Model, ModelContext } from '../../model.ts';
import { openEntry } from './entry-flow.ts';
import { EntryContent } from './entry-panel.tsx';

/**
 * Draws an entry once while the page is idle. Its code is then compiled and its styles and letters are known, so the
 * first real entry opens about as fast as every later one. The entry is drawn and removed at once, so that no key,
 * press or screen reader meets it.
 */
export function rehearseEntry(document: Document, model: Model): void {
  // The cashier was faster.
  if (model.sale.entry.value !== null) return;
  const stage = document.createElement('div');
  stage.className = 'rehearsal';
  stage.inert = true;
  document.body.append(stage);
  const nobody = { identifier: { loyalty_id: '' }, customerName: null, card: null, hint: null };
  const entry = openEntry('', 'earn_amount', nobody, model.frame.till.value?.currency ?? defaultCurrency);
  render(
    <ModelContext.Provider value={model}>
      <EntryContent entry={entry} />
    </ModelContext.Provider>,
    stage,
  );
  // Loads the parts that an entry may need later.
  void Promise.all([
    import('./asked-pin.tsx'),
    import('./spend-fields.tsx'),
    import('./entry-question.tsx'),
    import('./entry-notes.tsx'),
    import('./letter-keys.tsx'),
  ]).catch(() => undefined);
  // To measure the box makes the browser do its layout.
  stage.getBoundingClientRect();
  render(null, stage);
  stage.remove();
}
