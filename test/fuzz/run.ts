// `npm run fuzz`: hostile bytes at each door, for as long as one likes (docs/qa.md).

import { help, readFlags } from './flags.ts';
import { fuzz } from './fuzz.ts';

const flags = readFlags(process.argv.slice(2), Date.now());
switch (flags.kind) {
  case 'help':
    process.stdout.write(help);
    break;
  case 'wrong':
    process.stderr.write(`${flags.message}\n\n${help}`);
    process.exitCode = 2;
    break;
  case 'run': {
    const tell = (line: string) => process.stdout.write(`${line}\n`);
    const problems = await fuzz(flags.options, tell);
    for (const problem of problems) tell(`NOT WELL ${problem}`);
    tell(problems.length === 0 ? 'All was well.' : `${problems.length} things were not well.`);
    process.exitCode = problems.length === 0 ? 0 : 1;
    break;
  }
}
