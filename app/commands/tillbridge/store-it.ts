import { userInfo } from 'node:os';

// Who this process was started by: it may go on as another user (become-owner.ts).
const starter = userInfo().username;

/** Who gives a command, as the history and the audit log tell it. */
export function storeIt(): string {
  return `store IT (${starter})`;
}
