import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

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
