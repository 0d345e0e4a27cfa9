import type { SettingSource } from './load-settings.ts';

/**
 * Whether the till has to ask which mode it is for (design "Modes"): a packaged app does until somebody has said it, at
 * the till or in a file, a variable or a flag. A development run is the sandbox without a question.
 */
export function asksForMode(start: { readonly isPackaged: boolean; readonly modeSource: SettingSource }): boolean {
  return start.isPackaged && start.modeSource === 'default';
}
