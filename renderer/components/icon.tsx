import { drawnIcon, type IconProps } from './first-icon.tsx';
import { firstIconPaths } from './first-icon-paths.ts';
import { laterIconPaths } from './later-icon-paths.ts';

const iconPaths = { ...firstIconPaths, ...laterIconPaths };

export type IconName = keyof typeof iconPaths;

/** Any of the screen's drawings. Only what is loaded later shows it: a start has those of `FirstIcon` alone. */
export function Icon(props: IconProps<IconName>) {
  return drawnIcon(iconPaths[props.name], props);
}
