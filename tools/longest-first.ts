import { BaseSequencer, type TestSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest, in the order in which it is begun: no long file runs alone at the end while the other workers
 * have nothing to do. Parts of paths; the first that fits counts. Whatever fits none follows, larger files first.
 */
const longest: readonly string[] = [
  'test/simulation/simulation',
  'test/crash/immediate-steps',
  'test/upgrades/upgrades',
  'test/store/replacing',
  'test/crash/power-cut.',
  'test/crash/disk-steps',
  'test/store/lying-files',
  'test/hosts/care-commands',
  'test/hosts/queue-command',
  'test/hosts/agent-command',
  'test/hosts/people-command',
  'test/hosts/',
  'test/service/random-histories',
  'test/service/sandbox-command',
  'test/property/delivery',
  'test/core/pauses',
  'test/crash/crash',
  'test/core/line-faults',
  'test/day/',
  'test/bridge/reversal-product',
  'test/package/',
  'test/ui/stray-keys',
  'test/ui/waiting-card',
  'test/ui/earn-on-screen',
  'test/ui/lab.',
  'test/ui/spend',
  'test/ui/states',
  'test/ui/early-keys',
  'test/ui/manager-pin',
  'test/ui/counter',
  'test/ui/told-truly',
  'test/ui/killed-page',
  'test/ui/mistakes',
  'test/ui/settings',
  'test/ui/money',
  'test/ui/holds',
  'test/ui/sale-screen',
  'test/ui/stories',
];

/** Starts the files of each group longest first. (Vitest keeps times of earlier runs; a fresh checkout has none.) */
export class LongestFirst extends BaseSequencer implements TestSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((part) => moduleId.includes(part));
      return found === -1 ? longest.length : found;
    };
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    // A process that files share ends as soon as the next one wants its own: those come first.
    const shares = ({ project }: TestSpecification): number => Number(!project.config.isolate);
    return sorted.toSorted((a, b) => group(a) - group(b) || shares(a) - shares(b) || rank(a) - rank(b));
  }
}
