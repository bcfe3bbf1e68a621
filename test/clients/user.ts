import { hashPassword } from '../../src/accounts/password.ts';
import type { User } from '../../src/ports/accounts.ts';
import { createVisitor, type Visitor } from '../pages/visitor.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';

export const EMAIL = 'mira@example.com';
export const PASSWORD = 'correct horse battery staple';
const MAX_STEPS = 12;

/** The service with an account whose owner lets clients in. */
export interface ClientsService extends TestService {
  /** Its owner, by EMAIL and PASSWORD. */
  user: User;
  /** Another account that PASSWORD signs in. */
  addUser(email: string): Promise<User>;
  /**
   * What the user's browser does with an authorization request: signs in, the first time, agrees, and is sent to the
   * address returned.
   * Throws what the page says when there is none.
   */
  approve(authorizationUrl: string | URL): Promise<URL>;
  /** The `grant_type` of each token answer so far. */
  issued(): unknown[];
}

export async function startClientsService(options: TestServiceOptions = {}): Promise<ClientsService> {
  const service = await startTestService({ screens: [], ...options });
  const passwordHash = await hashPassword(PASSWORD);
  const addUser = (email: string) =>
    service.library.stores.accounts.add({ email, plan: 'pro', passwordHash });
  const browser = createVisitor(service.url);
  return {
    ...service,
    user: await addUser(EMAIL),
    addUser,
    approve: (authorizationUrl) => approve(browser, service.url, authorizationUrl),
    issued: () =>
      service.logged.filter(({ event }) => event === 'token.issued').map(({ grantType }) => grantType),
  };
}

async function approve(visitor: Visitor, serviceUrl: string, authorizationUrl: string | URL): Promise<URL> {
  let page = String(authorizationUrl);
  let response = await visitor.get(page);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, serviceUrl);
      if (next.origin !== serviceUrl) return next;
      page = next.pathname + next.search;
      response = await visitor.get(page);
      continue;
    }
    const shown = await response.text();
    if (shown.includes(`action="${page}/login"`)) {
      response = await visitor.submit(page, `${page}/login`, { email: EMAIL, password: PASSWORD });
    } else if (shown.includes(`action="${page}/confirm"`)) {
      response = await visitor.submit(page, `${page}/confirm`, {});
    } else {
      throw new Error(
        `The user cannot go on: ${response.status} ${shown.replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ').replace(/\s+/g, ' ')}`,
      );
    }
  }
  throw new Error('The user is sent round in circles.');
}
