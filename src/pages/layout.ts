import { createHash } from 'node:crypto';
import { html, Html } from './html.ts';
import { STYLE } from './style.ts';

/** A page and the policy that it has to be sent with. */
export interface Page {
  html: string;
  /** Content-Security-Policy. */
  policy: string;
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
// Whole, because the policy names its hash: not a space may come in between.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const MARK_PATH =
  '<rect x="3" y="3" width="18" height="18" rx="4.5" fill="none" stroke="currentColor" stroke-width="2"/><path d="M10 3v18M10 14h11" fill="none" stroke="currentColor" stroke-width="2"/>';
const ICON = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" color="#85806f">${MARK_PATH}</svg>`)}`;

/** Our sign; its name is written beside it. */
export const MARK = new Html(`<svg viewBox="0 0 24 24" aria-hidden="true">${MARK_PATH}</svg>`);

/**
 * A whole page. It has no script, and asks no other host for anything.
 * @param parts.formTargets CSP sources besides our own that a form may lead to, in the end, by redirects
 */
export function renderPage(parts: { title: string; body: Html; formTargets?: readonly string[] }): Page {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${parts.title} – Vitrine</title>
        <link rel="icon" href="${ICON}" />
        ${STYLE_ELEMENT}
      </head>
      <body>
        ${parts.body}
      </body>
    </html> `;
  return {
    html: page.text,
    policy: [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      'img-src data:',
      "base-uri 'none'",
      ["form-action 'self'", ...(parts.formTargets ?? [])].join(' '),
      "frame-ancestors 'none'",
    ].join('; '),
  };
}

/** Our name at the head of a page, leading to the start page. */
export function brand(): Html {
  return html`<a class="brand" href="/">${MARK}<span>Vitrine</span></a>`;
}

/**
 * CSP `form-action` sources that let the browser follow a form's redirect to this URI: browsers hold the policy
 * against every redirect after a form too.
 */
export function formTargetsOf(redirectUri: string): string[] {
  const url = URL.parse(redirectUri);
  if (url === null) return [];
  // A host source has no notation for an IPv6 address (CSP Level 3 §2.3.1), so the scheme has to do.
  const hasHostSource = /^https?:$/.test(url.protocol) && !url.hostname.startsWith('[');
  return [hasHostSource ? url.origin : url.protocol];
}
