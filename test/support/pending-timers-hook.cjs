// Loaded into a program before everything else: on SIGUSR2 it tells every timer that waits, Node's own too, as one line
// of JSON on standard error: how long it was set for, and where.
const { createHook } = require('node:async_hooks');

const setAt = new Map();
createHook({
  init(_id, type, _trigger, timer) {
    if (type === 'Timeout') setAt.set(timer, new Error('set').stack ?? '');
  },
}).enable();

process.on('SIGUSR2', () => {
  const pending = [];
  for (const [timer, stack] of setAt) {
    if (timer._idleNext === null || timer._destroyed) setAt.delete(timer);
    else
      pending.push({
        delayMs: timer._idleTimeout,
        setBy: stack
          .split('\n')
          .slice(5, 9)
          .map((line) => line.trim()),
      });
  }
  process.stderr.write(`${JSON.stringify({ pending })}\n`);
});
