/**
 * How many wrong PINs there were could not be written. Nobody is told whether the PIN was right: each press would be a
 * guess that counts for nothing.
 */
export class PinNotCountedError extends Error {
  override readonly name = 'PinNotCountedError';
}

/** @throws PinNotCountedError */
export async function counted(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    throw new PinNotCountedError('The number of wrong PINs cannot be written', { cause });
  }
}
