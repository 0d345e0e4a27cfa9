import { Icon, type IconName } from './icon.tsx';

/** What is shown beside a section's name. */
export interface SectionMark {
  readonly kind: 'changed' | 'wrong';
  readonly says: string;
}

interface SectionNavProps<Name extends string> {
  readonly label: string;
  readonly entries: readonly {
    readonly name: Name;
    readonly icon: IconName;
    readonly title: string;
    readonly mark?: SectionMark | null;
  }[];
  readonly current: Name;
  readonly onGo: (name: Name) => void;
}

/** The parts of a screen, one shown at a time. */
export function SectionNav<Name extends string>({ label, entries, current, onGo }: SectionNavProps<Name>) {
  return (
    <nav class="office-nav stack gap-1" aria-label={label}>
      {entries.map(({ name, icon, title, mark = null }) => (
        <button
          key={name}
          type="button"
          class="office-tab row gap-3"
          data-section={name}
          aria-current={current === name ? 'page' : undefined}
          onClick={() => onGo(name)}
        >
          <Icon name={icon} />
          <span class="office-tab-name">{title}</span>
          {mark?.kind === 'wrong' && (
            <span class="tone-text-danger">
              <Icon name="circle-alert" size={16} />
              <span class="visually-hidden">{mark.says}</span>
            </span>
          )}
          {mark?.kind === 'changed' && (
            <span class="office-dot">
              <span class="visually-hidden">{mark.says}</span>
            </span>
          )}
        </button>
      ))}
    </nav>
  );
}
