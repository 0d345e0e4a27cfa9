import { DialogHead } from '../components/dialog-parts.tsx';
import { Icon } from '../components/icon.tsx';
import { ModalForm } from '../components/modal.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import type { Bulk } from './bulk-send.ts';
import { ReasonField } from './reason-field.tsx';
import { useAttention } from './use-attention.ts';

/** Sends the operations of a group again: one reason for all, the progress, and the result. */
export function BulkDialog({ bulk }: { readonly bulk: Bulk }) {
  const { frame } = useModel();
  const own = useWords('attention');
  const attention = useAttention();
  const { stage, operations, action } = bulk;
  const isUnderWay = stage === 'running' || stage === 'stopping';
  const title = own.bulk[action](operations.length, frame.format.value.number(operations.length));
  const confirmWords = { asked: title, running: own.bulk.stop, stopping: own.bulk.stopping, over: own.bulk.close };
  return (
    <ModalForm
      titleId="bulk-title"
      step={stage}
      data-stage={stage}
      mistake={bulk.isReasonMissing ? 'reason_missing' : null}
      onLeave={attention.bulk.stop}
      onConfirm={() => void attention.bulk.confirm()}
    >
      <DialogHead titleId="bulk-title" title={title} icon="send">
        <p class="entry-who">{own.bulk.explained[action]}</p>
      </DialogHead>
      <div class="entry-body entry-body-single">
        <div class="entry-fields">
          {stage === 'asked' && (
            <ReasonField
              value={bulk.reason}
              isMissing={bulk.isReasonMissing}
              isFirst
              onInput={(reason) => attention.bulk.type(reason)}
            />
          )}
          {isUnderWay && <Progress bulk={bulk} />}
          {stage === 'over' && <Result bulk={bulk} />}
        </div>
      </div>
      <div class="entry-foot">
        {stage === 'asked' && (
          <button type="button" class="button button-outline button-large" onClick={attention.bulk.stop}>
            {frame.words.value.entry.cancel}
          </button>
        )}
        <button
          type="submit"
          class={`button ${isUnderWay ? 'button-outline' : 'button-primary'} button-large entry-confirm`}
          aria-disabled={stage === 'stopping'}
          data-first={stage === 'asked' ? undefined : ''}
        >
          {confirmWords[stage]}
        </button>
      </div>
    </ModalForm>
  );
}

function Progress({ bulk }: { readonly bulk: Bulk }) {
  const { frame } = useModel();
  const own = useWords('attention').bulk;
  const format = frame.format.value;
  const finished = bulk.done + bulk.notDone;
  return (
    <div class="stack gap-3">
      <p class="bulk-count" role="status">
        {own.underWay(format.number(finished), format.number(bulk.operations.length))}
      </p>
      <progress class="progress" max={bulk.operations.length} value={finished} aria-labelledby="bulk-title" />
      <p class="quiet">{own.stopNote}</p>
    </div>
  );
}

function Result({ bulk }: { readonly bulk: Bulk }) {
  const { frame } = useModel();
  const own = useWords('attention').bulk;
  const format = frame.format.value;
  const left = bulk.operations.length - bulk.done - bulk.notDone;
  return (
    <div class="stack gap-3" role="status">
      <div class="notice tone-success">
        <Icon name="circle-check" />
        <div>
          <strong>{own.doneTitle(bulk.done, format.number(bulk.done))}</strong>
          <span class="notice-line">{own.doneNext}</span>
        </div>
      </div>
      {bulk.notDone > 0 && (
        <div class="notice tone-warning">
          <Icon name="triangle-alert" />
          <div>
            <strong>{own.notDone(bulk.notDone, format.number(bulk.notDone))}</strong>
            <span class="notice-line">{own.notDoneNext}</span>
          </div>
        </div>
      )}
      {left > 0 && (
        <div class="notice tone-neutral">
          <Icon name="pause" />
          <strong>{own.left(left, format.number(left))}</strong>
        </div>
      )}
    </div>
  );
}
