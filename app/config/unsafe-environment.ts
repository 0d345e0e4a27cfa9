/** Options of Node with which a program is not safe to sell with, and why; with dashes, as `withDashes` makes them. */
const unsafeOptions: readonly (readonly [RegExp, string])[] = [
  [/^--tls-min-v1\.[01]$/, 'allows old TLS, which others can read'],
  [/^--tls-cipher-list(?:=|$)/, 'chooses the ciphers, and may choose weak ones'],
  [/^--openssl-(?:legacy-provider|config)(?:=|$)/, 'may bring ciphers back that are broken'],
  [/^--tls-keylog(?:=|$)/, 'writes connection keys into a file'],
  [/^--trace-tls$/, 'prints what connections say'],
  [/^--insecure-http-parser$/, 'accepts answers that are not HTTP'],
  [/^--inspect(?:-|=|$)/, 'opens a debugger, which can read the API key'],
  [/^--heapsnapshot-(?:signal|near-heap-limit)(?:=|$)/, 'writes the memory into a file, the API key with it'],
];

/**
 * What in the environment of a process takes away what production relies on, one line each, with what to do. A shop's
 * own certificate authority is welcome: NODE_EXTRA_CA_CERTS.
 *
 * @param execArgv the options that Node itself was started with
 */
export function unsafeEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  execArgv: readonly string[],
): readonly string[] {
  const problems: string[] = [];
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    problems.push(
      'NODE_TLS_REJECT_UNAUTHORIZED: is 0, so certificates are not checked. Remove it. For a certificate authority of your own set NODE_EXTRA_CA_CERTS',
    );
  }
  const given = [
    ...execArgv.map((option) => ({ option, from: 'the options of Node' })),
    ...optionsIn(environment.NODE_OPTIONS ?? '').map((option) => ({ option, from: 'NODE_OPTIONS' })),
  ];
  for (const { option, from } of given) {
    const why = unsafeOptions.find(([shape]) => shape.test(withDashes(option)))?.[1];
    if (why !== undefined) problems.push(`${from}: ${option} ${why}. Remove it`);
  }
  return problems;
}

/** Node's own way: spaces part options, quotes go wherever they stand, and a backslash counts within quotes alone. */
function optionsIn(text: string): readonly string[] {
  const options = text.match(/(?:"(?:\\.|[^"\\])*"?|[^ "])+/gs) ?? [];
  return options.map((option) =>
    option.replace(/"((?:\\.|[^"\\])*)"?/gs, (_, quoted: string) => quoted.replace(/\\(.)/gs, '$1')),
  );
}

/** Node takes an underscore in an option's name for a dash. */
function withDashes(option: string): string {
  const [name = ''] = option.split('=', 1);
  return name.replaceAll('_', '-') + option.slice(name.length);
}
