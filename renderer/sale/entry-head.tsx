import { balancesMainFirst } from '../../shared/till/balances.ts';
import { DialogHead } from '../components/dialog-parts.tsx';
import type { IconName } from '../components/icon.tsx';
import { balanceInWords } from '../copy/format.ts';
import { useModel } from '../model.ts';
import type { EntryFor } from './entry-flow.ts';
import type { Tone } from './outcome.ts';

interface EntryHeadProps {
  readonly title: string;
  readonly icon: IconName;
  readonly tone: Tone;
  readonly entryFor: Pick<EntryFor, 'customerName' | 'card' | 'hint'>;
}

/** What is being done, for whom, and what the card holds now. */
export function EntryHead({ title, icon, tone, entryFor }: EntryHeadProps) {
  const { frame } = useModel();
  const words = frame.words.value;
  const balance = entryFor.card === null ? undefined : balancesMainFirst(entryFor.card)[0];
  const who = entryFor.customerName ?? entryFor.hint ?? words.customer.nameless;
  return (
    <DialogHead
      titleId="entry-title"
      title={title}
      icon={icon}
      tone={tone}
      aside={
        balance !== undefined && <span class="entry-balance">{balanceInWords(balance, words, frame.format.value)}</span>
      }
    >
      <p class="entry-who">
        {entryFor.customerName === null && entryFor.card === null && <span>{words.customer.strangerCard}</span>}
        <bdi>{who}</bdi>
        {entryFor.card !== null && entryFor.card.template_name !== '' && (
          <>
            <span aria-hidden="true">·</span>
            <bdi>{entryFor.card.template_name}</bdi>
          </>
        )}
      </p>
    </DialogHead>
  );
}
