import { firstIconPaths } from './first-icon-paths.ts';

/** An icon that the first load brings with the sale screen. Code that is loaded later can use every icon: `Icon`. */
export type FirstIconName = keyof typeof firstIconPaths;

export interface IconProps<Name> {
  readonly name: Name;
  /** In CSS pixels at the normal text size. */
  readonly size?: number;
  /** Whether the icon is mirrored in Arabic, as arrows are. */
  readonly mirrors?: boolean;
}

/** Like `Icon`, for code of the first load. It shows only the icons that are loaded with it. */
export function FirstIcon(props: IconProps<FirstIconName>) {
  return drawnIcon(firstIconPaths[props.name], props);
}

/** An icon beside words. It is hidden from screen readers, which read the words. */
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
