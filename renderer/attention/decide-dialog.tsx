import { DialogFoot } from '../components/dialog-foot.tsx';
import { DialogHead, FailureNotice } from '../components/dialog-parts.tsx';
import { PinField } from '../components/form-field.tsx';
import { ModalForm } from '../components/modal.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { operationAmount } from '../operation/operation-words.ts';
import { ReasonField } from './reason-field.tsx';
import type { Deciding } from './state.ts';
import { useAttention } from './use-attention.ts';

/**
 * Asks for the reason of a decision, and for a manager's PIN when one is needed. The operation's history keeps both.
 */
export function DecideDialog({ deciding }: { readonly deciding: Deciding }) {
  const { frame } = useModel();
  const words = frame.words.value;
  const own = useWords('attention');
  const attention = useAttention();
  const { operation, action, failure } = deciding;
  const isGivenUp = action === 'write_off';
  const needsPin = deciding.isPinAsked || (isGivenUp && frame.till.value?.has_managers === true);
  return (
    <ModalForm
      titleId="decide-title"
      mistake={deciding.isReasonMissing ? 'reason_missing' : failure}
      busy={deciding.busy}
      onLeave={attention.cancel}
      onConfirm={() => void attention.confirm()}
    >
      <DialogHead
        titleId="decide-title"
        title={own.actions[action]}
        icon={isGivenUp ? 'file-x' : 'send'}
        tone={isGivenUp ? 'danger' : 'waiting'}
      >
        <p class="entry-who">
          <bdi>{operationAmount(operation, words, frame.format.value)}</bdi>
          <bdi dir="ltr" class="ref">
            {operation.external_ref}
          </bdi>
        </p>
      </DialogHead>
      <div class="entry-body entry-body-single">
        <div class="entry-fields">
          <p class="quiet">{own.explained[action]}</p>
          <ReasonField
            value={deciding.reason}
            isMissing={deciding.isReasonMissing}
            isFirst
            onInput={(reason) => attention.type({ reason })}
          />
          {needsPin && (
            <PinField id="decide-pin" label={own.pin} value={deciding.pin} onInput={(pin) => attention.type({ pin })} />
          )}
        </div>
      </div>
      <FailureNotice failure={failure} />
      <DialogFoot
        cancel={words.entry.cancel}
        onCancel={attention.cancel}
        confirm={deciding.busy ? words.entry.asking : own.actions[action]}
        isIdle={deciding.busy}
        isDangerous={isGivenUp}
      />
    </ModalForm>
  );
}
