/** What an agent asks of V8 once it speaks HTTP, each flag with what V8 has without it. */
export const smallProcessFlags = [
  // The one WebAssembly that is here parses HTTP answers, in undici. V8 would compile it a second time, for speed, with the
  // third answer, and the process would keep 12 MB of that; without it an answer takes some 3 µs more. A flag that is set
  // while V8 runs turns no other one off: `--liftoff-only` alone would leave both on.
  { asked: '--no-wasm-tier-up', usual: '--wasm-tier-up' },
  { asked: '--no-wasm-dynamic-tiering', usual: '--wasm-dynamic-tiering' },
  // Once the process rests, V8 collects all that is in memory twice, with all processors. The first time frees 5 MB, the
  // second one nothing, for 35 ms of a processor.
  { asked: '--memory-reducer-gc-count=1', usual: '--memory-reducer-gc-count=2' },
] as const;
