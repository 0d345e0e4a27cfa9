/** Options of Node with which a program is not safe to sell with, and why. */
const unsafeOptions: readonly (readonly [RegExp, string])[] = [
  [/^--tls-min-v1\.[01]$/, 'allows old TLS, which others can read'],
  [/^--tls-keylog\b/, 'writes connection keys into a file'],
  [/^--insecure-http-parser$/, 'accepts answers that are not HTTP'],
  [/^--inspect(?:-|=|$)/, 'opens a debugger, which can read the API key'],
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
    ...(environment.NODE_OPTIONS ?? '').split(/\s+/).map((option) => ({ option, from: 'NODE_OPTIONS' })),
  ];
  for (const { option, from } of given) {
    const why = unsafeOptions.find(([shape]) => shape.test(option))?.[1];
    if (why !== undefined) problems.push(`${from}: ${option} ${why}. Remove it`);
  }
  return problems;
}
