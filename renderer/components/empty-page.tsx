import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface EmptyPageProps {
  readonly icon: IconName;
  readonly title: string;
  readonly next: string;
  readonly tone?: 'neutral' | 'success' | 'danger';
  /** What can be done about it. */
  readonly children?: ComponentChildren;
}

/** A page that has nothing to show, or could not read it: what is so, and what will appear here or what to do. */
export function EmptyPage({ icon, title, next, tone = 'neutral', children }: EmptyPageProps) {
  return (
    <div class="hollow hollow-page" role={tone === 'danger' ? 'alert' : undefined}>
      <span class={`tile tile-large tone-${tone}`}>
        <Icon name={icon} size={28} />
      </span>
      <strong>{title}</strong>
      <span>{next}</span>
      {children}
    </div>
  );
}
