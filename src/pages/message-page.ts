import { html } from './html.ts';
import { brand, renderPage, type Page } from './layout.ts';

/** Something went wrong, or there is nothing to do here: says what, and where to go on. */
export function renderMessage(message: {
  title: string;
  text: string;
  /** A paragraph of its own. */
  more?: string;
  /** For someone who asks the developer of the client. */
  code?: string;
  link?: { href: string; text: string };
}): Page {
  const { title, text, more, code, link } = message;
  return renderPage({
    title,
    body: html`<div class="centre">
      <header>${brand()}</header>
      <main class="panel stack">
        <h1>${title}</h1>
        <p>${text}</p>
        ${more === undefined ? undefined : html`<p>${more}</p>`}
        ${code === undefined ? undefined : html`<p class="soft small">Error code: <code>${code}</code></p>`}
        ${link === undefined ? undefined : html`<p><a class="button" href="${link.href}">${link.text}</a></p>`}
      </main>
    </div>`,
  });
}

/**
 * An authorization request that must not be answered by a redirect: its client or redirect URI cannot be trusted
 * (RFC 6749 §4.1.2.1), it is not open any more, or there are too many.
 */
export function renderAuthorizationFault(fault: { error: string; description: string }): Page {
  return renderMessage({
    title: 'This app cannot be connected',
    text: fault.description,
    more: 'You were not sent back to the app, and nothing was shared with it.',
    code: fault.error,
  });
}
