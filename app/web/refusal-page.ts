import { createHash } from 'node:crypto';

/** No file is fetched for it: its look comes with it, in the colours of the screen (renderer/styles/tokens.css). */
const style = `
:root { color-scheme: light dark; --ground: #f4f3ef; --surface: #fdfdfc; --ink: #14252b; --line: #d9d7d0; --accent: #006672; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #10191d; --surface: #182226; --ink: #f2f1ed; --line: #3a464b; --accent: #4fbcc9; }
}
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--ink); }
main { box-sizing: border-box; max-width: 38rem; margin: 1.5rem; padding: 2rem 2.5rem 2.25rem;
  border: 1px solid var(--line); border-radius: 16px; background: var(--surface); }
body { font: 1.125rem/1.6 system-ui, sans-serif; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; }
p { margin: 0; }
a { color: var(--accent); }
code { font-size: 0.9em; overflow-wrap: anywhere; }
`;

const styleHash = () => createHash('sha256').update(style).digest('base64');

/**
 * A page that says why there is no screen. It may load nothing and run nothing.
 *
 * @param sentence HTML
 */
export function refusalPage(sentence: string): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
} {
  const policy = `default-src 'none'; style-src 'sha256-${styleHash()}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tillbridge</title><style>${style}</style><main><h1>Tillbridge</h1><p>${sentence}</p></main></html>`;
  return {
    headers: {
      'content-security-policy': policy,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    },
    body: Buffer.from(page),
  };
}
