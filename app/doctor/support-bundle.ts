import type { Clock } from '../../shared/lib/clock.ts';
import type { OperationView } from '../../shared/till/views.ts';
import type { Held } from '../config/held-settings.ts';
import { type BundlePart, type FoundSecret, findSecret, zip } from './bundle.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';
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
  readonly held: Held;
  readonly service: () => Promise<readonly Finding[]>;
  /** To look for it in the bundle. */
  readonly apiKey: string | null;
  readonly status: unknown;
  readonly operations: () => Iterable<readonly OperationView[]>;
}): Promise<SupportBundle> {
  const { apiKey, clock, dataDir } = of;
  const nowMs = clock.now();
  const findings = await examine({ ...of, readsDatabases: false });
  const parts = await gatherBundle({ ...of, nowMs, findings });
  return { parts, found: findSecret(parts, secretsOf(dataDir, apiKey)), zip: () => zip(parts, nowMs) };
}
