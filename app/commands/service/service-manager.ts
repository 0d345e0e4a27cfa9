import type { ServicePlaces } from '../../machine/service-places.ts';
import type { Step } from './steps.ts';

/** What a service is made from. */
export interface ServiceFacts {
  /** The agent's own Node, and its entry: both where every user can read them. */
  readonly program: string;
  readonly entry: string;
  readonly places: ServicePlaces;
  /** A folder for backups that the service may write to beside its own; null for none. */
  readonly backupFolder: string | null;
  /** The program that makes a Windows service of another one; null elsewhere. */
  readonly wrapper: string | null;
}

/** How the operating system says that a service stands. */
export interface ServiceState {
  readonly isRunning: boolean;
  /** Whether it is started with the machine. */
  readonly isEnabled: boolean;
  /** In milliseconds since 1970; null when it does not run, or the system does not tell. */
  readonly runningSinceMs: number | null;
}

/** One operating system's way of keeping a program running. */
export interface ServiceManager {
  /** Why no service can be installed here, in one line; null when one can. */
  readonly whyNot: (facts: ServiceFacts) => string | null;
  /** What the system reads of the service. */
  readonly description: (facts: ServiceFacts) => string;
  readonly install: (facts: ServiceFacts) => readonly Step[];
  readonly remove: (facts: ServiceFacts) => readonly Step[];
  readonly state: () => ServiceState;
  /** Where the system keeps what the agent said before it ended. */
  readonly whereItSaysWhy: string;
  readonly howToStop: string;
  /** How a login is let open windows. */
  readonly letIn: string;
}

/** What the service runs. */
export function agentArguments({ entry, places }: ServiceFacts): readonly string[] {
  return [entry, 'agent', '--service', '--data-dir', places.dataDir, '--attach-folder', places.attachFolder];
}
