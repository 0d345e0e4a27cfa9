// `node tools/rehearsed.ts FOLDER keep|run ...args`: runs the program of a build as `node FOLDER/cli.js ...args` does. With
// "keep", the compiled code of each part is written beside it when the program ends.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { smallProcessFlags } from '../app/client/small-process-flags.ts';
import { keptCodePath, type LoadedPart, runProgram, withDigest } from '../app/machine/kept-code.ts';

const [folder = '', what = '', ...args] = process.argv.slice(2);
process.argv = [process.execPath, join(folder, 'cli.js'), ...args];

/** V8 takes code only under the flags that it had when the code was made, and the program sets some while it runs. */
const loaded: (LoadedPart & { readonly flags: number })[] = [];
runProgram(folder, (part) => loaded.push({ ...part, flags: cachedDataVersionTag() }));

if (what === 'keep') {
  process.on('exit', () => {
    const kept = new Set(keepThose(loaded));
    for (const { usual } of smallProcessFlags) setFlagsFromString(usual);
    for (const part of keepThose(loaded)) kept.add(part);
    const missed = loaded.filter((part) => !kept.has(part));
    if (missed.length > 0)
      throw new Error(`Not kept, because of V8's flags: ${missed.map(({ path }) => path).join(', ')}`);
  });
}

function keepThose(parts: typeof loaded): typeof loaded {
  const now = parts.filter(({ flags }) => flags === cachedDataVersionTag());
  for (const { path, script } of now) {
    const kept = keptCodePath(path);
    writeFileSync(kept, withDigest(script.createCachedData()));
    // The program has a umask that keeps its files from other users. This file is a part of the program: all may read it.
    chmodSync(kept, 0o644);
  }
  return now;
}
