import type { Clock } from '../../shared/lib/clock.ts';
import type { OperationView } from '../../shared/till/views.ts';
import type { LoadedSettings } from '../config/load-settings.ts';
import { type BundlePart, type FoundSecret, findSecret, zip } from './bundle.ts';
import { examine } from './examine.ts';
import { gatherBundle, secretsOf } from './gather.ts';

export interface SupportBundle {
  readonly parts: readonly BundlePart[];
  /** A secret that slipped through: the bundle must not be saved. */
  readonly found: FoundSecret | null;
  readonly zip: () => Uint8Array;
}

/** The support bundle of a running agent, made by the agent: nothing in it keeps a sale waiting. */
export async function makeSupportBundle(of: {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly version: string;
  readonly loaded: LoadedSettings;
  readonly status: unknown;
  readonly operations: () => Iterable<readonly OperationView[]>;
}): Promise<SupportBundle> {
  const { loaded, clock, dataDir } = of;
  const nowMs = clock.now();
  const apiKey = loaded.kind === 'loaded' ? loaded.settings.api_key : null;
  const findings = await examine({ ...of, apiKey, readsDatabases: false });
  const parts = await gatherBundle({ ...of, nowMs, findings });
  return { parts, found: findSecret(parts, secretsOf(dataDir, loaded)), zip: () => zip(parts, nowMs) };
}
