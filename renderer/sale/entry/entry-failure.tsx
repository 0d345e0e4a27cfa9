import { FailureNotice } from '../../components/dialog-parts.tsx';
import { useWords } from '../../copy/use-words.ts';
import { useModel } from '../../model.ts';
import { nextStep } from '../../operation/next-step.ts';
import { failureWords } from '../../operation/operation-words.ts';
import { refusedEntry } from '../outcome/refused.ts';
import type { Entry } from './entry-flow.ts';
import { isHandedOverGone } from './entry-refusal.ts';
import { EntryStep } from './entry-step.tsx';
import { LinkLostNote } from './link-lost-note.tsx';

/** Why the last press failed and the step that helps, or that the agent is gone. */
export function EntryFailure({ entry }: { readonly entry: Entry }) {
  const { frame, sale } = useModel();
  const handedOver = useWords('past').beside;
  const { failure } = entry;
  if (failure === null) return <LinkLostNote />;
  const refused = refusedEntry(entry, sale.cards.value);
  const hasOther = refused !== null && nextStep(refused).kind === 'other_card';
  const words = frame.words.value;
  const notSent = entry.aim?.kind === 'hold' ? words.holds.notSent.making : undefined;
  const advice = isHandedOverGone(failure) ? handedOver.gone : failureWords(failure, words, { hasOther }, notSent);
  return (
    <FailureNotice failure={failure} advice={advice}>
      {refused !== null && entry.aim === null && <EntryStep entry={entry} refused={refused} />}
    </FailureNotice>
  );
}
