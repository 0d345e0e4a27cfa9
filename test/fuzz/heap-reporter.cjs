// Loaded into a program under attack (`node --expose-gc --require`): tells its memory when it is asked over IPC.
'use strict';
process.on('message', () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send({ heapBytes: heapUsed + external, rssBytes: rss });
});
process.channel.unref();
