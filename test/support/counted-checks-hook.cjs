// Loaded into a program before everything else: when it writes its ready line, it tells as a line of JSON on standard error
// how many objects zod has made until then, and which native code was loaded.
let made = 0;
globalThis.__zod_globalConfig = {
  postProcessor() {
    made += 1;
  },
};

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text, ...more) => {
  if (String(text).startsWith('{"ready":true')) {
    const native = process.report.getReport().sharedObjects.filter((path) => path.endsWith('.node'));
    process.stderr.write(`${JSON.stringify({ made, native })}\n`);
  }
  return write(text, ...more);
};
