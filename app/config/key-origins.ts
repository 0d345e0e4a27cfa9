import { type Mode, modes } from '../../shared/till/modes.ts';
import { keyOriginName, readApiKeys, type SecretStore } from '../machine/secrets.ts';
import { originOf } from './service-address.ts';

/**
 * Notes where keys may be sent that an earlier version has kept: to the addresses that hold at the first start after it.
 * From then on another address needs the key again.
 *
 * @param addresses of the modes whose address is known; null: the built-in sandbox
 * @throws SecretsError, or what the file system says of a file that cannot be written
 */
export async function bindKeptKeys(
  secrets: SecretStore,
  addresses: Readonly<Partial<Record<Mode, string | null>>>,
): Promise<void> {
  const { keys, sealed, origins } = await readApiKeys(secrets);
  for (const mode of modes) {
    const address = addresses[mode];
    const isKept = keys[mode] !== undefined || sealed.includes(mode);
    if (!isKept || origins[mode] !== undefined || address === undefined) continue;
    await secrets.set(keyOriginName(mode), originOf(address));
  }
}
