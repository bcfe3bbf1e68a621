import type { Connection } from '../accounts/connections.ts';
import type { User } from '../accounts/directory.ts';
import { html, type Html } from './html.ts';
import { brand, renderPage, type Page } from './layout.ts';
import { accountName, ago, day, planName } from './words.ts';

export interface AccountPage {
  user: User;
  csrf: string;
  /** What the plan includes. */
  includes: { mcp: boolean; downloads: boolean };
  connections: readonly Connection[];
  /** What a resource identifier is called. */
  resourceName: (resource: string) => string;
  /** A client has just been disconnected. */
  disconnected: boolean;
  mcpUrl: string;
  now: Date;
}

export function renderAccount(page: AccountPage): Page {
  const { user, includes, connections } = page;
  return renderPage({
    title: 'Your account',
    body: html`<header class="top">
        ${brand()}
        <form method="post" action="/sign-out">
          <input type="hidden" name="csrf" value="${page.csrf}" />
          <button type="submit" class="quiet compact">Sign out</button>
        </form>
      </header>
      <main class="page">
        <div class="stack tight">
          <h1>Your account</h1>
          <p class="soft">${accountName(user)}</p>
        </div>
        ${page.disconnected ? html`<p class="message good" role="status">The app is disconnected. What it still holds stops working within a minute.</p>` : undefined}
        <section aria-labelledby="plan">
          <h2 id="plan">Plan ${planName(user.plan)}</h2>
          <ul class="includes">
            ${included('Search over REST', true)} ${included('AI assistants (MCP)', includes.mcp)}
            ${included('Original downloads', includes.downloads)}
          </ul>
          ${includes.mcp && includes.downloads ? undefined : html`<p class="soft small">Whoever runs this library can change your plan; the change works at once, without a new sign-in.</p>`}
        </section>
        <section aria-labelledby="apps">
          <h2 id="apps">Connected apps</h2>
          ${
            connections.length === 0
              ? empty(page.mcpUrl)
              : html`<ul class="connections">
                  ${connections.map((connection) => connected(connection, page))}
                </ul>`
          }
        </section>
      </main>`,
  });
}

function included(what: string, yes: boolean): Html {
  return html`<li>
    <strong>${what}</strong><br /><span class="soft">${yes ? 'Included' : 'Not included'}</span>
  </li>`;
}

function connected(connection: Connection, { csrf, resourceName, now }: AccountPage): Html {
  const { id, clientName, resource, since, lastUse } = connection;
  const used =
    lastUse === undefined
      ? html`never used`
      : html`last used <time datetime="${lastUse.toISOString()}">${ago(lastUse, now)}</time>`;
  return html`<li>
    <div>
      <strong><bdi>${clientName}</bdi></strong
      ><br />
      <span class="soft small"
        >${resourceName(resource)} · connected <time datetime="${since.toISOString()}">${day(since)}</time> ·
        ${used}</span
      >
    </div>
    <form method="post" action="/account/disconnect">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="connection" value="${id}" />
      <button type="submit" class="quiet compact">
        Disconnect<span class="hidden"> ${clientName}, connected ${day(since)}</span>
      </button>
    </form>
  </li>`;
}

function empty(mcpUrl: string): Html {
  return html`<div class="empty stack tight">
    <p><strong>No app is connected.</strong></p>
    <p class="soft">
      Give an AI assistant the address <code>${mcpUrl}</code>; it brings you here to allow it.
    </p>
  </div>`;
}
