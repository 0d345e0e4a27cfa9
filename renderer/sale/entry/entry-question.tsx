import { Icon } from '../../components/icon.tsx';
import { earnInWords } from '../../copy/format.ts';
import { useModel } from '../../model.ts';
import type { Question } from './entry-flow.ts';

/** A question that the cashier answers before the operation is saved. */
export function QuestionView({ question }: { readonly question: Question }) {
  const { frame } = useModel();
  const words = frame.words.value.entry;
  const { title, next } = words[question.kind](earnInWords(question.value, frame.words.value, frame.format.value));
  return (
    <div class="question stack gap-3" role="alert" data-question={question.kind}>
      <span class="seal">
        <Icon name="circle-help" size={40} />
      </span>
      <h3 class="question-title">{title}</h3>
      <p class="question-next">{next}</p>
    </div>
  );
}
