import type { User } from '../accounts/directory.ts';
import type { InteractionClient, InteractionView } from '../oauth/interactions.ts';
import { html, Html } from './html.ts';
import { formTargetsOf, MARK, renderPage, type Page } from './layout.ts';
import { accountName, planName, resourceInWords, scopeInWords } from './words.ts';

const CHECK = new Html(
  '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="m4.5 10.5 3.5 3.5 7.5-8" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"/></svg>',
);

const MAX_NAME_CHARACTERS = 80;

/**
 * What a client is called on the pages; one without a name goes by the host of its address. Names are chosen by
 * strangers: without control characters, and not so long that they push everything else out of sight.
 */
export function clientName(client: InteractionClient): string {
  const name = (client.name ?? '').replace(/\p{C}+/gu, ' ').trim();
  if (name !== '') return Array.from(name).slice(0, MAX_NAME_CHARACTERS).join('');
  return client.kind === 'metadata-document' ? hostOf(client.id) : 'An app without a name';
}

/** @param planIncludes whether the user's plan lets the client do anything at the resource */
export function renderConsent(view: InteractionView, user: User, planIncludes: boolean): Page {
  const name = clientName(view.client);
  const path = `/oauth/interaction/${view.uid}`;
  const csrf = html`<input type="hidden" name="csrf" value="${view.csrf}" />`;
  return renderPage({
    title: `Connect ${name}`,
    formTargets: formTargetsOf(view.redirectUri),
    body: html`<div class="centre">
      <main class="panel stack">
        <div class="pair" aria-hidden="true">
          <span class="tile">${initialOf(name)}</span><span class="dots"></span
          ><span class="tile ours">${MARK}</span>
        </div>
        <h1>Connect <bdi>${name}</bdi> to Vitrine?</h1>
        <form class="who" method="post" action="${path}/switch">
          <p>
            <span class="soft small">Signed in as</span><br /><strong>${accountName(user)}</strong>
            <span class="soft">· plan ${planName(user.plan)}</span>
          </p>
          ${csrf}
          <button type="submit" class="quiet compact">Switch account</button>
        </form>
        <section>
          <h2>It will be able to</h2>
          <ul class="allowed">
            ${view.scopes.map((scope) => html`<li>${CHECK}<span>${scopeInWords(scope)}</span></li>`)}
          </ul>
        </section>
        ${view.client.verified ? undefined : unverified(name)} ${planIncludes ? undefined : planNote(user)}
        <dl class="facts">
          <div>
            <dt>Access to</dt>
            <dd>
              ${resourceInWords(view.resource)} <span class="soft">at</span> <code>${view.resource.id}</code>
            </dd>
          </div>
          ${
            view.client.kind === 'metadata-document'
              ? html`<div>
                  <dt>App published at</dt>
                  <dd><strong>${hostOf(view.client.id)}</strong></dd>
                </div>`
              : undefined
          }
          <div>
            <dt>Sends you back to</dt>
            <dd><strong>${view.redirectHost}</strong></dd>
          </div>
        </dl>
        <form method="post" action="${path}/confirm">
          ${csrf}
          <div class="actions">
            <button type="submit" class="quiet" formaction="${path}/abort">Deny</button>
            <button type="submit">Allow</button>
          </div>
        </form>
        <p class="soft small">You can end this at any time on <a href="/account">your account page</a>.</p>
      </main>
    </div>`,
  });
}

function unverified(name: string): Html {
  return html`<p class="message note">
    <strong>“<bdi>${name}</bdi>” is not a verified name.</strong> The app runs on a device and chose its name
    itself. Allow it only if you have just started connecting it.
  </p>`;
}

function planNote(user: User): Html {
  return html`<p class="message note">
    <strong>Plan ${planName(user.plan)} does not include this access.</strong> You can connect the app now; it
    will work as soon as your plan includes it.
  </p>`;
}

/** The first letter or digit, as a stand-in for a picture, which would have to come from another host. */
function initialOf(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '?').toLocaleUpperCase('en');
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
