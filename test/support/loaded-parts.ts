// `node loaded-parts.ts FOLDER ...args`: runs a built program, and writes at its end, as its last line, of each part that it
// has loaded whether V8 took the code that the build had kept of it.
import { basename, join } from 'node:path';
import { type LoadedPart, runProgram } from '../../app/machine/kept-code.ts';

const [folder = '', ...args] = process.argv.slice(2);
process.argv = [process.execPath, join(folder, 'cli.js'), ...args];
const loaded: LoadedPart[] = [];
runProgram(folder, (part) => loaded.push(part));
process.on('exit', () => {
  const isKept = loaded.map(({ path, script }) => [basename(path), script.cachedDataRejected === false]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(isKept))}\n`);
});
