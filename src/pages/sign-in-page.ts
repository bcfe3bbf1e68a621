import { ART } from './art.ts';
import { html, type Html } from './html.ts';
import { brand, renderPage, type Page } from './layout.ts';

export interface SignInPage {
  /** Where the form goes. */
  action: string;
  csrf: string;
  /** Path to go on to. */
  to: string;
  /** Whose request brings the user here. */
  clientName?: string;
  /** What went wrong with the attempt before. */
  fault?: { message: string; email: string };
  /** Another provider to sign in at. */
  upstream?: { name: string; href: string };
  /** Way back to the client without signing in. */
  denyAction?: string;
  formTargets?: readonly string[];
}

export function renderSignIn(page: SignInPage): Page {
  const { clientName, fault } = page;
  return renderPage({
    title: fault === undefined ? 'Sign in' : 'Error: sign in',
    ...(page.formTargets === undefined ? {} : { formTargets: page.formTargets }),
    body: html`<div class="split">
      <main>
        <div>${brand()}</div>
        <div class="stack tight">
          <h1>Sign in</h1>
          <p class="soft">
            ${clientName === undefined ? 'To see your plan and the apps that you connected.' : html`To connect <strong><bdi>${clientName}</bdi></strong> to the library.`}
          </p>
        </div>
        ${page.upstream === undefined ? undefined : upstreamLink(page.upstream)}
        <form class="stack" method="post" action="${page.action}">
          <input type="hidden" name="csrf" value="${page.csrf}" />
          <input type="hidden" name="to" value="${page.to}" />
          ${fault === undefined ? undefined : html`<p class="message bad" role="alert" id="fault">${fault.message}</p>`}
          <div class="field">
            <label for="email">E-mail</label>
            <input
              id="email"
              name="email"
              type="email"
              autocomplete="username"
              required
              maxlength="254"
              value="${fault?.email}"
              ${fault === undefined ? html` autofocus` : FAULTY}
            />
          </div>
          <div class="field">
            <label for="password">Password</label>
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="current-password"
              required
              maxlength="1024"
              ${fault === undefined ? undefined : html`${FAULTY} autofocus`}
            />
          </div>
          <button type="submit" class="wide">Sign in</button>
        </form>
        ${page.denyAction === undefined ? undefined : cancelForm(page.denyAction, page.csrf)}
        <p class="soft small">Accounts and new passwords come from whoever runs this library.</p>
      </main>
      ${ART}
    </div>`,
  });
}

const FAULTY = html` aria-invalid="true" aria-describedby="fault"`;

function upstreamLink({ name, href }: { name: string; href: string }): Html {
  return html`<div class="stack">
    <a class="button quiet wide" href="${href}">Continue with ${name}</a>
    <p class="or">or with a password</p>
  </div>`;
}

function cancelForm(action: string, csrf: string): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="csrf" value="${csrf}" />
    <button type="submit" class="quiet wide">Cancel</button>
  </form>`;
}
