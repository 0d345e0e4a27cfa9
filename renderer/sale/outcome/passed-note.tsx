import { parseAmount } from '../../../shared/money.ts';
import { Icon } from '../../components/icon.tsx';
import { stateIcons } from '../../components/state-icon.tsx';
import { useWords } from '../../copy/use-words.ts';
import { useModel } from '../../model.ts';
import { operationAmount, operationCustomer, statesAfter } from '../../operation/operation-words.ts';
import { rowLook } from '../../operation/standing.ts';
import type { Passed } from './passed.ts';

interface PassedNoteProps {
  /** The customer in front, where the note covers their name. */
  readonly who?: string | null;
}

/** One line about the last customer: their sale, or an amount that became no sale. */
export function PassedNote({ who = null }: PassedNoteProps) {
  const { frame, sale } = useModel();
  const passedWords = useWords('past').passed;
  const passed = sale.passed.value;
  const line = lineOf(passed);
  if (passed === null) return null;
  const isDone = passed.kind === 'done';
  return (
    <div
      class={`notice tone-${isDone ? rowLook(passed.operation).tone : 'danger'} entry-note passed`}
      role={isDone ? 'status' : 'alert'}
      data-passed={passed.kind}
    >
      <Icon name={isDone ? stateIcons[rowLook(passed.operation).icon] : 'circle-alert'} />
      <span>
        {who !== null && <strong>{passedWords.isFor(who)} </strong>}
        {line}
      </span>
    </div>
  );

  function lineOf(news: Passed | null): string {
    const words = frame.words.value;
    const format = frame.format.value;
    if (news === null) return '';
    if (news.kind === 'done') {
      const { operation } = news;
      const { title } = statesAfter(operation, words)[operation.state];
      return passedWords.line(operationAmount(operation, words, format), operationCustomer(operation, words), title);
    }
    const currency = frame.till.value?.currency ?? '';
    const parsed = parseAmount(news.text, currency);
    const amount = parsed.ok ? format.money(parsed.amountMinor, currency) : format.digits(news.text);
    return passedWords.notTaken[news.reason === 'left' ? 'nobody' : news.reason](amount);
  }
}
