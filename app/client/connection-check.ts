/** How a reference begins that no sale can have: to look it up is the cheapest question to the service that there is. */
export const connectionCheckReference = 'tillbridge-connection-check';

/** @param path of a call, with its query */
export function isConnectionCheck(path: string): boolean {
  return path.includes(`external_ref=${connectionCheckReference}`);
}
