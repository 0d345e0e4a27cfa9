import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { smallProcessFlags } from '../../app/client/small-process-flags.ts';

const flags = ['--allow-natives-syntax', '--wasm-sync-tier-up', '--input-type=module'];

/** Counts down from what it is given. */
const countDown =
  '0061736d0100000001060160017f017f030201000707010372756e00000a12011000034020004101' + '6b22000d000b20000b';

/** How V8 has compiled WebAssembly that ran for long, in a process that has loaded these modules before. */
function compiledAfterLongUse(...modules: readonly string[]): unknown {
  const program = `
    ${modules.map((module) => `await import(${JSON.stringify(join(import.meta.dirname, '..', '..', module))});`).join('\n')}
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from('${countDown}', 'hex')));
    for (let call = 0; call < 20; call += 1) exports.run(5_000_000);
    console.log(%IsLiftoffFunction(exports.run) ? 'once' : 'again, for speed');`;
  return execFileSync(process.execPath, [...flags, '-e', program], { encoding: 'utf8' }).trim();
}

it('leaves WebAssembly as it was first compiled, however long it runs, once the way to the service is loaded', () => {
  expect(compiledAfterLongUse()).toBe('again, for speed');
  expect(compiledAfterLongUse('app/client/network-dispatcher.ts')).toBe('once');
});

it('sets no flag that this V8 does not know, and knows how V8 stands without each', () => {
  const program = `
    import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
    import { smallProcessFlags } from ${JSON.stringify(join(import.meta.dirname, '../../app/client/small-process-flags.ts'))};
    const usual = cachedDataVersionTag();
    console.log(JSON.stringify(smallProcessFlags.map((flag) => {
      setFlagsFromString(flag.asked);
      const asked = cachedDataVersionTag();
      setFlagsFromString(flag.usual);
      return [asked !== usual, cachedDataVersionTag() === usual];
    })));`;
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(JSON.parse(told)).toEqual(smallProcessFlags.map(() => [true, true]));
});
