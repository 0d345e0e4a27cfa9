import { type Locale, localeTable } from '../shared/till/locales.ts';
import { shellWords } from './words.ts';

/** The address of the page's styles. The page itself has the cashier screen's address. */
export const stoppedStylePath = '/stopped.css';

export const stoppedStyle = `body { margin: 0; font: 20px/1.6 system-ui, sans-serif; background: #f5f6f8; color: #17202b; }
main { max-width: 40em; margin: 15vh auto 0; padding: 0 2em; }
a { display: inline-block; margin-top: 1em; padding: 0.7em 1.4em; border-radius: 8px; background: #17527d; color: #fff; text-decoration: none; }
@media (prefers-color-scheme: dark) { body { background: #12181f; color: #e8ecf1; } }
`;

/**
 * The page that replaces a cashier screen that crashes again and again: words and one link, without a script. The link
 * leads to the page's own address, where the cashier screen is shown again.
 */
export function stoppedPage(locale: Locale): string {
  const { stopped } = shellWords[locale];
  const lines = stopped.lines.map((line) => `<p>${line}</p>`).join('\n');
  return `<!doctype html>
<html lang="${locale}" dir="${localeTable[locale].direction}">
<head><meta charset="utf-8"><title>Tillbridge</title><link rel="stylesheet" href="${stoppedStylePath}"></head>
<body><main>
<h1>${stopped.title}</h1>
${lines}
<a href="/">${stopped.again}</a>
</main></body>
</html>
`;
}
