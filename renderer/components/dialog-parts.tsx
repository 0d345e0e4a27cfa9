import type { ComponentChildren } from 'preact';
import type { TillError } from '../../shared/till/api.ts';
import type { Advice } from '../copy/advice.ts';
import { errorAdvice } from '../copy/error-advice.ts';
import { useModel } from '../model.ts';
import type { Tone } from '../operation/outcome.ts';
import { Icon, type IconName } from './icon.tsx';

interface DialogHeadProps {
  readonly titleId: string;
  readonly title: ComponentChildren;
  readonly icon?: IconName | undefined;
  readonly tone?: Tone;
  /** At the other end of the title's line. */
  readonly aside?: ComponentChildren;
  /** Below the title. */
  readonly children?: ComponentChildren;
}

/** The head of a dialog, which says what the dialog is about. */
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
  /** The dialog's own words. A missing part is taken from the words for the error's code. */
  readonly advice?: Partial<Advice> | undefined;
  /** A button or text that helps, at the end of the notice. */
  readonly children?: ComponentChildren;
}

/** Why the last press failed, and what to do. */
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
