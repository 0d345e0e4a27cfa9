import type { Clock } from '../../shared/lib/clock.ts';
import type { RandomSource } from '../../shared/lib/random.ts';
import type { OperationState } from '../../shared/machines/operation.ts';
import type { Notice } from '../../shared/till/views.ts';
import type { Audit } from '../audit/audit-events.ts';
import type { SettingsSources } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import { unsafeEnvironment } from '../config/unsafe-environment.ts';
import type { SealOptions } from '../core/begin-seals.ts';
import type { Log } from '../machine/log.ts';
import type { SecretStore } from '../machine/secrets.ts';
import { drainingNotices, planDraining, rememberProduction, startDraining } from './draining.ts';

interface DrainerStart {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly secrets: SecretStore;
  readonly sources: () => Pick<SettingsSources, 'environment'>;
  readonly log: Log;
}

interface DrainerParts {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** See CoreOptions. */
  readonly machine: string | null;
  readonly profileKey: Uint8Array;
  readonly audit: Audit;
  readonly seal: SealOptions;
}

interface Drainer {
  readonly notices: () => readonly Notice[];
  /** Of production, while it is drained. */
  readonly counts: () => { readonly production?: Readonly<Record<OperationState, number>> };
  readonly close: () => Promise<void>;
}

/** Production's sales go on being sent while the screen is in sandbox mode. What hinders that stops no sale. */
export async function openDrainer(
  { dataDir, settings, secrets, sources, log }: DrainerStart,
  { clock, random, machine, profileKey, audit, seal }: DrainerParts,
): Promise<Drainer> {
  await rememberProduction({ dataDir, settings, secrets });
  const plan = await planDraining({ dataDir, mode: settings.mode, secrets });
  const idle: Drainer = {
    notices: () => drainingNotices(plan, null),
    counts: () => ({}),
    close: async () => undefined,
  };
  if (plan.kind === 'not_known') {
    log.warn({ waiting: plan.waitingCount }, 'Sales of production wait for production mode');
  }
  if (plan.kind !== 'drain') return idle;
  const problems = unsafeEnvironment(sources().environment, process.execArgv);
  if (problems.length > 0) {
    log.error({ problems }, 'Sales of production wait: what this program was started with makes their line unsafe');
    return idle;
  }
  const { networkDispatcher } = await import('../client/network-dispatcher.ts');
  const dispatcher = networkDispatcher(plan.tls);
  try {
    const core = startDraining({
      plan,
      dataDir,
      settings,
      clock,
      random,
      machine,
      log,
      dispatcher,
      profileKey,
      audit,
      seal,
    });
    log.info({}, 'Sales of production go out in the background');
    return {
      notices: () => drainingNotices(plan, core),
      counts: () => ({ production: core.counts() }),
      async close() {
        await core.close();
        await dispatcher.destroy();
      },
    };
  } catch (error) {
    await dispatcher.destroy();
    log.error({ error }, 'Sales of production cannot be sent while the screen is in sandbox mode');
    return idle;
  }
}
