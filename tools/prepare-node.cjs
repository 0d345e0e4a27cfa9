// Loaded before every npm script (`node -r`), in CommonJS so that an old Node can still read it: says what is missing
// in one line, and turns on the compile cache before the first module (without it each start strips types anew).
'use strict';
const { existsSync } = require('node:fs');
const nodeModule = require('node:module');
const path = require('node:path');

const modules = path.join(__dirname, '..', 'node_modules');
const [major, minor] = process.versions.node.split('.').map(Number);
const readsTypeScript = major > 22 || (major === 22 && minor >= 18);

if (!existsSync(path.join(modules, 'vite'))) {
  process.stderr.write('The packages are not installed: run `npm ci` first.\n');
  process.exit(1);
}
if (!readsTypeScript) {
  const hint = existsSync(path.join(modules, '.bin', 'node'))
    ? 'start it with `npm run`, which uses the Node 24 that `npm ci` brought'
    : 'run `npm ci` (on Linux it brings Node 24), or install Node 24';
  process.stderr.write(`Node ${process.versions.node} is too old: ${hint}.\n`);
  process.exit(1);
}
nodeModule.enableCompileCache(path.join(modules, '.cache', 'compile'));
