import { useLayoutEffect, useRef } from 'preact/hooks';
import { DialogFoot } from '../components/dialog-foot.tsx';
import { DialogHead, FailureNotice } from '../components/dialog-parts.tsx';
import { Icon } from '../components/icon.tsx';
import { ModalForm } from '../components/modal.tsx';
import { useWords } from '../copy/use-words.ts';
import { useModel } from '../model.ts';
import { dateInWords } from './day-words.ts';
import { Signature } from './signature.tsx';
import type { Closing } from './state.ts';
import { useDayClose } from './use-day-close.ts';

/** Closes the day. It shows what is still open and will be carried over, and asks for a name. */
export function CloseDialog({ closing }: { readonly closing: Closing }) {
  const { frame } = useModel();
  const own = useWords('day-close').dialog;
  const dayClose = useDayClose();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (closing.refused !== null) dialog.current?.querySelector<HTMLElement>('.entry-confirm')?.focus();
  }, [closing.refused]);
  const { failure, refused } = closing;
  return (
    <ModalForm
      titleId="close-title"
      look="day-dialog"
      dialog={dialog}
      mistake={closing.problem ?? failure}
      busy={closing.busy}
      onLeave={dayClose.cancel}
      onConfirm={() => void dayClose.confirm()}
    >
      <DialogHead
        titleId="close-title"
        title={own.title(dateInWords(closing.businessDate, frame.locale.value, 'long'))}
        icon="calendar-check"
      >
        <p class="entry-who">{own.why}</p>
      </DialogHead>
      {refused === null ? <Asked closing={closing} /> : <Refused refused={refused} />}
      <FailureNotice failure={failure} />
      <DialogFoot
        cancel={refused === null ? own.cancel : null}
        onCancel={dayClose.cancel}
        confirm={refused !== null ? own.done : closing.busy ? own.closing : own.confirm}
        isIdle={closing.busy}
      />
    </ModalForm>
  );
}

function Asked({ closing }: { readonly closing: Closing }) {
  const { frame } = useModel();
  const own = useWords('day-close').dialog;
  const dayClose = useDayClose();
  const { open, problem } = closing;
  const format = frame.format.value;
  const openCount = open.waiting + open.attention;
  return (
    <div class="entry-body entry-body-single">
      <div class="entry-fields">
        {openCount === 0 ? (
          <p class="notice tone-success">
            <Icon name="circle-check" />
            <strong>{own.wellTitle}</strong>
          </p>
        ) : (
          <div class="stack gap-1" data-open={openCount}>
            <div class="notice tone-warning">
              <Icon name="triangle-alert" />
              <div>
                <strong>{own.openTitle(openCount, format.number(openCount))}</strong>
                {open.waiting > 0 && (
                  <span class="notice-line">{own.waiting(open.waiting, format.number(open.waiting))}</span>
                )}
                {open.attention > 0 && (
                  <span class="notice-line">{own.attention(open.attention, format.number(open.attention))}</span>
                )}
              </div>
            </div>
            <label class="day-seen row gap-3">
              <input
                type="checkbox"
                class="check"
                data-first=""
                checked={closing.hasSeen}
                aria-invalid={problem === 'not_seen' || problem === 'more_open'}
                aria-describedby="close-seen-note"
                onChange={(event) => dayClose.change({ hasSeen: event.currentTarget.checked })}
              />
              {own.acknowledge}
            </label>
            <p id="close-seen-note" class="field-note field-error" aria-live="polite">
              {problem === 'not_seen' && own.acknowledgeMissing}
              {problem === 'more_open' && own.more}
            </p>
          </div>
        )}
        <Signature closing={closing} />
      </div>
    </div>
  );
}

function Refused({ refused }: { readonly refused: NonNullable<Closing['refused']> }) {
  const { frame } = useModel();
  const own = useWords('day-close').dialog;
  const advice =
    refused.kind === 'not_begun'
      ? own.notBegun
      : own.already(refused.close.closed_by, frame.format.value.dateTime(Date.parse(refused.close.closed_at)));
  return (
    <div class="question stack gap-3" role="alert" data-question={refused.kind}>
      <span class="tile tile-large tone-info">
        <Icon name="lock" size={28} />
      </span>
      <h3 class="question-title">{advice.title}</h3>
      <p class="quiet">{advice.next}</p>
    </div>
  );
}
