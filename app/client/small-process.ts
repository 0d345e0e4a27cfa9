import { setFlagsFromString } from 'node:v8';
import { smallProcessFlags } from './small-process-flags.ts';

// Loaded before undici, which compiles what some of them are for. Not in Electron, which may hold V8's flags fast.
if (process.versions.electron === undefined) for (const { asked } of smallProcessFlags) setFlagsFromString(asked);
