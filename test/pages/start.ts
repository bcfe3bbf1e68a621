import { hashPassword } from '../../src/accounts/password.ts';
import type { Plan } from '../../src/domain/vocabulary.ts';
import type { User } from '../../src/ports/accounts.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';

export const PASSWORD = 'correct horse battery staple';
/** One for all accounts: working it out takes a third of a second. */
const PASSWORD_HASH = await hashPassword(PASSWORD);

export interface PagesService extends TestService {
  /** An account that PASSWORD signs in. */
  addUser(email: string, plan?: Plan): Promise<User>;
}

/** The service with an empty library. */
export async function startPages(
  settings: Record<string, string> = {},
  more: Pick<TestServiceOptions, 'fetchDocument'> = {},
): Promise<PagesService> {
  const service = await startTestService({ screens: [], settings, ...more });
  return {
    ...service,
    addUser: (email, plan = 'pro') =>
      service.library.stores.accounts.add({ email, plan, passwordHash: PASSWORD_HASH }),
  };
}
