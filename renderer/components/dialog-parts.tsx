import type { ComponentChildren } from 'preact';
import type { TillError } from '../../shared/till/api.ts';
import type { Advice } from '../copy/advice.ts';
import { errorAdvice } from '../copy/error-advice.ts';
import { useModel } from '../model.ts';
import type { Tone } from '../sale/outcome.ts';
import { Icon, type IconName } from './icon.tsx';

interface DialogHeadProps {
  readonly titleId: string;
  readonly title: ComponentChildren;
  readonly icon?: IconName | undefined;
  readonly tone?: Tone;
  /** At the other end of the line. */
  readonly aside?: ComponentChildren;
  /** Below the title. */
  readonly children?: ComponentChildren;
}

/** What a dialog is about. */
export function DialogHead({ titleId, title, icon, tone = 'waiting', aside, children }: DialogHeadProps) {
  return (
    <header class="entry-head row">
      {icon !== undefined && (
        <span class={`tile entry-tile tone-${tone}`}>
          <Icon name={icon} size={24} mirrors={icon === 'send'} />
        </span>
      )}
      <div class="two-lines">
        <h2 id={titleId} class="entry-title">
          {title}
        </h2>
        {children}
      </div>
      {aside}
    </header>
  );
}

interface FailureNoticeProps {
  readonly failure: TillError | null;
  /** In the dialog's own words; what it has none for is said by the error's code. */
  readonly advice?: Partial<Advice> | undefined;
  /** What helps, at its end. */
  readonly children?: ComponentChildren;
}

/** Why the last press came to nothing, and what to do. */
export function FailureNotice({ failure, advice, children }: FailureNoticeProps) {
  const { frame } = useModel();
  if (failure === null) return null;
  const { title, next } = errorAdvice(failure, frame.words.value, frame.format.value, advice);
  return (
    <div class="notice tone-danger-solid entry-failure" role="alert" data-state={failure.code}>
      <Icon name="triangle-alert" size={24} />
      <span>
        <strong>{title}</strong>
        <span class="notice-line">{next}</span>
      </span>
      {children}
    </div>
  );
}

interface DialogFootProps {
  /** Null: there is only one way out, the other button. */
  readonly cancel: string | null;
  readonly onCancel: () => void;
  readonly confirm: ComponentChildren;
  /** Confirm does nothing now. */
  readonly isIdle?: boolean;
  readonly isDangerous?: boolean;
  /** Confirm has the focus at this step: there is nothing to enter. */
  readonly isFirst?: boolean;
  /** More ways out, between the two. */
  readonly children?: ComponentChildren;
}

/** The ways out of a dialog; the last one confirms. */
export function DialogFoot({
  cancel,
  onCancel,
  confirm,
  isIdle = false,
  isDangerous = false,
  isFirst = false,
  children,
}: DialogFootProps) {
  return (
    <div class="entry-foot">
      {cancel !== null && (
        <button type="button" class="button button-outline button-large" onClick={onCancel}>
          {cancel}
        </button>
      )}
      {children}
      <button
        type="submit"
        class={`button ${isDangerous ? 'button-danger' : 'button-primary'} button-large entry-confirm`}
        aria-disabled={isIdle}
        data-first={isFirst ? '' : undefined}
      >
        {confirm}
      </button>
    </div>
  );
}
