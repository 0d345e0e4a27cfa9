import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchUsage, readBenchFlags } from './flags.ts';
import { goalNumbers, goalTable } from './goal-table.ts';

const profiles = ['drain', 'enqueue'];
const read = (...argv: string[]) => readBenchFlags(argv, profiles);

describe('the flags of the bench', () => {
  it('measure every goal, seven rounds each, when there are none', () => {
    expect(read()).toEqual({
      kind: 'measure',
      goals: goalNumbers,
      rounds: 7,
      isQuick: false,
      jsonFile: null,
      isCheck: false,
    });
  });

  it('measure the goals that are named, each once and in their order', () => {
    expect(read('--goal', '17', '--goal', '2', '--goal=17')).toMatchObject({ goals: [2, 17] });
  });

  it('make fewer rounds for a quick look, unless they say how many', () => {
    expect(read('--quick')).toMatchObject({ isQuick: true, rounds: 5 });
    expect(read('--quick', '--rounds', '9')).toMatchObject({ isQuick: true, rounds: 9 });
  });

  it('name the file of the report by its whole path', () => {
    expect(read('--json', 'report.json')).toMatchObject({ jsonFile: join(process.cwd(), 'report.json') });
  });

  it.each([
    [['--goal', '20'], '--goal 20: there is no such goal; it is a number from 1 to 19'],
    [['--goal', '2,3'], '--goal 2,3: there is no such goal'],
    [['--goal', '02'], '--goal 02: there is no such goal'],
    [['--goal', ''], '--goal : there is no such goal'],
    [['--rounds', '4'], '--rounds 4: it is a whole number, 5 or more'],
    [['--rounds', '7.5'], '--rounds 7.5: it is a whole number'],
    [['--rounds', 'many'], '--rounds many: it is a whole number'],
    [['--rounds', ''], '--rounds : it is a whole number'],
    [['--json', join(tmpdir(), 'no such folder', 'report.json')], 'no such folder'],
    [['--json', tmpdir()], 'that is a folder; name a file in it'],
    [['--json'], '--json'],
    [['--profile', 'lunch'], '--profile lunch: there is no such profile; there are drain, enqueue'],
    [['--profile', 'drain', '--check'], '--profile: it measures no goals, so it takes no other flag'],
    [['--table', 'run.json', '--check'], '--table: it measures no goals, so it takes no other flag'],
    [['--draw', 'run.json', '--draw', 'other.json'], '--draw: it measures no goals'],
    [['--table'], '--table'],
    [['--fast'], '--fast'],
    [['17'], '17'],
  ])('are refused with words that say what is wrong: %j', (argv, words) => {
    expect(read(...argv)).toEqual({ kind: 'wrong', problem: expect.stringContaining(words) });
  });

  it('ask for a profile', () => {
    expect(read('--profile', 'drain')).toEqual({ kind: 'profile', name: 'drain' });
    expect(read('--profile=drain')).toEqual({ kind: 'profile', name: 'drain' });
  });

  it('name the run whose table is written, or whose pictures are drawn', () => {
    const runFile = join(process.cwd(), 'run.json');
    expect(read('--table', 'run.json')).toEqual({ kind: 'table', runFile });
    expect(read('--draw=run.json')).toEqual({ kind: 'draw', runFile });
  });

  it('are told by --help, with every goal and its number', () => {
    expect(read('--help')).toEqual({ kind: 'help' });
    const usage = benchUsage(profiles);
    for (const goal of goalNumbers) expect(usage).toContain(`${goal}  ${goalTable[goal].title}`);
  });
});
