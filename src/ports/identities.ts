import type { Plan } from '../domain/vocabulary.ts';
import type { User } from './accounts.ts';

/** An account at another OpenID provider; only the pair tells one from another (OpenID Connect Core §5.7). */
export interface Identity {
  /** The provider's issuer identifier. */
  issuer: string;
  subject: string;
}

/** Which of our users is who elsewhere. Identities go with their user. */
export interface Identities {
  /**
   * The user of an identity. One that comes for the first time becomes a new user, one only however many ask at once;
   * it is never joined to an account that is there already. The e-mail is left out where another account has it.
   */
  ensureUser(identity: Identity, newcomer: { email?: string; plan: Plan }): Promise<User>;
}
