import { drawnIcon, type IconProps } from './first-icon.tsx';
import { firstIconPaths } from './first-icon-paths.ts';
import { laterIconPaths } from './later-icon-paths.ts';

const iconPaths = { ...firstIconPaths, ...laterIconPaths };

export type IconName = keyof typeof iconPaths;

/** Any icon of the screen. Only code that is loaded later may use it; the first load has only those of `FirstIcon`. */
export function Icon(props: IconProps<IconName>) {
  return drawnIcon(iconPaths[props.name], props);
}
