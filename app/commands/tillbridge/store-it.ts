import { userInfo } from 'node:os';

/** Who gives a command, as the history and the audit log tell it. */
export function storeIt(): string {
  return `store IT (${userInfo().username})`;
}
