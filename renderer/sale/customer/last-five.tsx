import { balancesOf } from '../../../shared/till/balances.ts';
import { progressOf } from '../../../shared/till/progress.ts';
import { deedInWords } from '../../../shared/words/deeds.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import type { Words } from '../../copy/en/start.ts';
import { earnInWords, type Format } from '../../copy/format.ts';
import { useWords } from '../../copy/use-words.ts';
import { useModel } from '../../model.ts';
import { useProgressWords } from './card-parts.tsx';
import { type Did, lastFive, type PastRow } from './past.ts';

/** What the customer did last. A customer without any operation sees the first step to a reward. */
export function LastFive() {
  const { frame, sale, history } = useModel();
  const words = frame.words.value;
  const format = frame.format.value;
  const progressWords = useProgressWords();
  const pastWords = useWords('past');
  const theirs = history.theirs.value;
  const cards = sale.cards.value;
  const card = sale.card.value;
  if (theirs === null) return null;
  const rows = lastFive(theirs, cards);
  const { last } = theirs;
  if (rows.length === 0 && last !== null) {
    const holdsNothing = cards.every(({ balances }) => balancesOf(balances).every(({ value }) => value === 0));
    const progress = card === null ? null : progressOf(card, frame.till.value?.reward_goals ?? []);
    const firstStep = progress === null ? pastWords.firstVisit : pastWords.firstStep(progressWords(progress));
    return <p class="past-none">{holdsNothing ? firstStep : pastWords.nothing}</p>;
  }
  return (
    <section class="past" aria-label={pastWords.title}>
      <h3 class="past-title row gap-3">
        {pastWords.title}
        {last?.source === 'kept' && (
          <span class="past-as-of">{pastWords.asOf(format.when(Date.parse(last.as_of), frame.nowMs.value))}</span>
        )}
        {last === null && <span class="past-as-of">{pastWords.unknown}</span>}
      </h3>
      <ol class="past-rows">
        {rows.map((row) => (
          <li key={row.id} class="past-row row gap-4" data-state={row.state}>
            <span class={`past-sign past-${signOf(row)}`}>
              <Icon name={signs[signOf(row)]} size={24} mirrors={signOf(row) === 'back'} />
            </span>
            <bdi class="past-what cut">{didInWords(row.did, words, format)}</bdi>
            <span class="past-when">
              {row.state === 'taken_back' ? words.stateWords.reversed : format.day(row.atMs, frame.nowMs.value)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** `Earned KWD 12.500`, `Spent 40 points`, `Gave Free cake`: with the verbs of Recent. */
function didInWords({ way, value, given, isCoupon }: Did, words: Words, format: Format): string {
  const { did } = words.recent;
  if (value === null && way === 'earn') return words.operations.names.earn_amount;
  if (value === null) return deedInWords({ kind: 'give', name: given, isCoupon }, did);
  const [field] = Object.keys(value);
  const unit = field === 'points' || field === 'stamps' || field === 'visits' ? field : 'money';
  return deedInWords({ kind: way, unit, written: earnInWords(value, words, format) }, did);
}

type Sign = 'earn' | 'spend' | 'gift' | 'way' | 'back';

const signs: Readonly<Record<Sign, IconName>> = {
  earn: 'circle-plus',
  spend: 'circle-minus',
  gift: 'gift',
  way: 'cloud-upload',
  back: 'undo-2',
};

function signOf({ did, state }: PastRow): Sign {
  if (state === 'taken_back') return 'back';
  if (state === 'on_the_way') return 'way';
  if (did.way === 'earn') return 'earn';
  return did.value === null ? 'gift' : 'spend';
}
