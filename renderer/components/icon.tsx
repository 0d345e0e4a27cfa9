import { iconPaths } from './icon-paths.ts';

export type IconName = keyof typeof iconPaths;

interface IconProps {
  readonly name: IconName;
  /** In CSS pixels at the normal text size. */
  readonly size?: number;
  /** Arrows point the other way in Arabic. */
  readonly mirrors?: boolean;
}

/** A drawing beside words: it is hidden from screen readers, the words speak. */
export function Icon({ name, size = 20, mirrors = false }: IconProps) {
  return (
    <svg
      class={mirrors ? 'icon icon-mirrors' : 'icon'}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
