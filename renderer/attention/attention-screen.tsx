import './attention.css';
import { computed } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { EmptyPage, ReadFailed } from '../components/empty-page.tsx';
import { useUnreadStopped } from '../components/unread-stopped.ts';
import { useWords } from '../copy/use-words.ts';
import { PageHead } from '../frame/page-head.tsx';
import { useWhenAnswered } from '../frame/use-when-answered.ts';
import { useModel } from '../model.ts';
import { waysWith } from '../operation/standing.ts';
import { AttentionGroup } from './attention-group.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { CorrectDialog } from './correct-dialog.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { groupsOf, withDecision } from './groups.ts';
import { createAttention, mostRows } from './state.ts';
import { AttentionContext, useAttention } from './use-attention.ts';

/** The operations that need attention, in groups with the same reason, each with what can be done. */
export function AttentionScreen() {
  const { api, clock, frame, sale } = useModel();
  const own = useWords('attention');
  const [state] = useState(() => createAttention({ api, clock }));
  const wanted = sale.toCorrect.value;
  useEffect(() => {
    if (wanted === null) return;
    sale.toCorrect.value = null;
    state.begin(wanted, 'correct');
  }, [wanted, sale, state]);
  useWhenAnswered(state.readAgain);
  useEffect(() => state.leave, [state]);
  const operations = state.operations.value;
  const failure = state.failure.value;
  const deciding = state.deciding.value;
  const correcting = state.correction.correcting.value;
  const bulk = state.bulk.bulk.value;
  return (
    <AttentionContext.Provider value={state}>
      <main class="page" data-screen="attention">
        <PageHead screen="attention" />
        {failure !== null && (
          <ReadFailed words={own} next={frame.words.value.errors[failure.code].title} onAgain={state.readAgain} />
        )}
        {operations === null && failure === null && (
          <div class="stack gap-2" aria-hidden="true">
            {[0, 1, 2].map((row) => (
              <span key={row} class="skeleton skeleton-row" />
            ))}
          </div>
        )}
        {operations?.length === 0 && failure === null && (
          <EmptyPage icon="circle-check" tone="success" title={own.emptyTitle} next={own.emptyNext} />
        )}
        {operations !== null && <AttentionGroups />}
        {operations !== null && operations.length >= mostRows && (
          <p class="quiet">{own.someUnread(frame.format.value.number(operations.length))}</p>
        )}
        {deciding !== null && <DecideDialog key={deciding.operation.operation_id} deciding={deciding} />}
        {correcting !== null && <CorrectDialog key={correcting.operation.operation_id} correcting={correcting} />}
        {bulk !== null && <BulkDialog bulk={bulk} />}
      </main>
    </AttentionContext.Provider>
  );
}

/** A row that goes or grows moves the others, so that a press may meet another operation than it was meant for. */
function AttentionGroups() {
  const { frame, recent } = useModel();
  const { operations } = useAttention();
  const groups = groupsOf(operations.value ?? []);
  const [rows] = useState(() =>
    computed(() =>
      groupsOf(operations.value ?? [])
        .flatMap((group) => group.operations)
        .map((listed) => {
          const operation = withDecision(listed, recent.find(listed.operation_id));
          const { operation_id, state, found, decision } = operation;
          return [operation_id, state, found, decision, waysWith(operation, frame.nowMs.value)].join(' ');
        })
        .join(),
    ),
  );
  const list = useRef<HTMLDivElement>(null);
  const stopUnread = useUnreadStopped(list, rows.value, { isPushedIn: false });
  return (
    <div ref={list} class="attention-groups" onClickCapture={stopUnread}>
      {groups.map((group) => (
        <AttentionGroup key={group.cause} group={group} />
      ))}
    </div>
  );
}
