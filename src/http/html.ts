import { createHash } from 'node:crypto';

/** For text and for attribute values in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

export interface HtmlPage {
  html: string;
  /** Content-Security-Policy that lets the page have its own style, and nothing more than `sources` adds. */
  policy: string;
}

/**
 * A whole page, in the reader's light or dark. No other host is ever asked for anything.
 * @param parts.body HTML
 * @param parts.sources further directives of the policy, such as `script-src 'self'`
 */
export function createHtmlPage(parts: {
  title: string;
  body: string;
  style?: string;
  head?: string;
  sources?: readonly string[];
  styleSources?: string;
}): HtmlPage {
  const style = `${BASE_STYLE}${parts.style ?? ''}`;
  const styleHash = createHash('sha256').update(style).digest('base64');
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(parts.title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
${parts.head ?? ''}</head>
<body>
${parts.body}
</body>
</html>
`,
    policy: [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'${parts.styleSources === undefined ? '' : ` ${parts.styleSources}`}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      ...(parts.sources ?? []),
    ].join('; '),
  };
}

const BASE_STYLE = `
:root { color-scheme: light dark; --ink: #1b1b1f; --soft: #5c5c66; --paper: #fff; --line: #d9d9e0; --link: #0b57d0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececf1; --soft: #a9a9b5; --paper: #16161a; --line: #35353d; --link: #8ab4f8; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .75rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
a { color: var(--link); }
code, pre { font: .9em/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
`;
