import type { Input } from 'electron';

/** Whether a key would leave the screen, or show something over it. */
export function leavesKiosk({
  key,
  alt,
  control,
  meta,
  type,
}: Pick<Input, 'key' | 'alt' | 'control' | 'meta' | 'type'>): boolean {
  if (type !== 'keyDown') return false;
  const letter = key.toLowerCase();
  if (key === 'F11' || (alt && (key === 'F4' || letter === ' '))) return true;
  return (control || meta) && ['w', 'q', 'n', 'm', 'p', 'o', 's'].includes(letter);
}
