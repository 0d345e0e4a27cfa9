import { firstIconPaths } from './first-icon-paths.ts';

/** A drawing that a start loads with the sale screen. What comes later has every drawing: `Icon`. */
export type FirstIconName = keyof typeof firstIconPaths;

export interface IconProps<Name> {
  readonly name: Name;
  /** In CSS pixels at the normal text size. */
  readonly size?: number;
  /** Arrows point the other way in Arabic. */
  readonly mirrors?: boolean;
}

/** As `Icon`, in what a start loads: it shows only drawings that come with it. */
export function FirstIcon(props: IconProps<FirstIconName>) {
  return drawnIcon(firstIconPaths[props.name], props);
}

/** A drawing beside words: it is hidden from screen readers, the words speak. */
export function drawnIcon(path: string, { size = 20, mirrors = false }: IconProps<string>) {
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
      <path d={path} />
    </svg>
  );
}
