import { hashPassword } from '../../src/accounts/password.ts';
import type { User } from '../../src/ports/accounts.ts';
import { approve } from '../pages/approve.ts';
import { createVisitor } from '../pages/visitor.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';

export const EMAIL = 'mira@example.com';
export const PASSWORD = 'correct horse battery staple';

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
    approve: (authorizationUrl) => approve(browser, authorizationUrl, { email: EMAIL, password: PASSWORD }),
    issued: () =>
      service.logged.filter(({ event }) => event === 'token.issued').map(({ grantType }) => grantType),
  };
}
