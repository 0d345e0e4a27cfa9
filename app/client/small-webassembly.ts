import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 leave WebAssembly as it is first compiled. The one that is here parses HTTP answers, in undici. V8 would compile
 * it a second time, for speed, with the third answer, and the process would keep 12 MB of that; without it an answer takes
 * some 3 µs more. Loaded before undici, which compiles it. Not in Electron, which may hold V8's flags fast.
 */
if (process.versions.electron === undefined) {
  // A flag that is set while V8 runs turns no other one off: `--liftoff-only` alone would leave both on.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}
