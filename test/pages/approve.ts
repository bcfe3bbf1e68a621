import type { Visitor } from './visitor.ts';

const MAX_STEPS = 12;

/**
 * What a person does with an authorization request: signs in, unless that is done, and agrees. Returns the address that the
 * browser is sent to then. Throws what the page says when it does not come to that.
 */
export async function approve(
  visitor: Visitor,
  authorizationUrl: string | URL,
  account: { email: string; password: string },
): Promise<URL> {
  const { origin } = new URL(authorizationUrl);
  let page = String(authorizationUrl);
  let response = await visitor.get(page);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, origin);
      if (next.origin !== origin) return next;
      page = next.pathname + next.search;
      response = await visitor.get(page);
      continue;
    }
    const shown = await response.text();
    if (shown.includes(`action="${page}/login"`)) {
      response = await visitor.submit(page, `${page}/login`, account);
    } else if (shown.includes(`action="${page}/confirm"`)) {
      response = await visitor.submit(page, `${page}/confirm`, {});
    } else {
      throw new Error(`The user cannot go on: ${response.status} ${textOf(shown)}`);
    }
  }
  throw new Error('The user is sent round in circles.');
}

function textOf(page: string): string {
  return page.replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}
