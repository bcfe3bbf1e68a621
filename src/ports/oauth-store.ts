/** What the authorization server remembers for a while. Everything else of a grant goes with the grant. */
export type OAuthRecordKind = 'AuthorizationCode' | 'RefreshToken' | 'Interaction' | 'Session';

export interface OAuthRecord {
  kind: OAuthRecordKind;
  /** Hash of the code, token or cookie; the value itself is never stored. */
  idHash: string;
  payload: Record<string, unknown>;
  /** The grant that it dies with; absent for interactions and sessions. */
  grantId?: string;
  /** Another name of a session. */
  uid?: string;
  expiresAt: Date;
  /** Set once, by the one request that used it up. */
  consumedAt?: Date;
}

export interface OAuthRecords {
  /** Expired ones too, until they are collected. */
  find(kind: OAuthRecordKind, idHash: string): Promise<OAuthRecord | undefined>;
  findByUid(kind: OAuthRecordKind, uid: string): Promise<OAuthRecord | undefined>;
  /**
   * Adds or replaces; what was consumed stays so. False, and nothing stored, when the grant does not exist (any more).
   */
  save(record: Omit<OAuthRecord, 'consumedAt'>): Promise<boolean>;
  /**
   * Marks one record as consumed and saves its successor, of whatever kind, both or neither. `replaced` for exactly one
   * caller, however many ask at once and from however many processes; `lost` when another had it, or it is gone.
   */
  replace(
    kind: OAuthRecordKind,
    idHash: string,
    successor: Omit<OAuthRecord, 'consumedAt'>,
    at: Date,
  ): Promise<'replaced' | 'lost'>;
  remove(kind: OAuthRecordKind, idHash: string): Promise<void>;
}

/** A grant that a client got through the authorization endpoint, under an id that the caller chose. */
export interface OAuthGrant {
  id: string;
  userId: string;
  clientId: string;
  /** Canonical resource identifier. */
  resource: string;
  /** Space-separated. */
  scope: string;
  createdAt: Date;
  /** The oldest that its family of refresh tokens can get. */
  expiresAt: Date;
}

export interface OAuthGrants {
  /** Undefined also for grants of the command line, which have no end and no refresh token. */
  find(id: string): Promise<OAuthGrant | undefined>;
  save(grant: OAuthGrant): Promise<void>;
  /** Removes it with its codes and refresh tokens, at once. False when there was none. */
  revoke(id: string): Promise<boolean>;
}

/** A client that registered itself (RFC 7591). */
export interface RegisteredClient {
  id: string;
  /** As answered to the registration. */
  metadata: Record<string, unknown>;
  createdAt: Date;
  /** When a user last let it in. */
  lastUsedAt?: Date;
}

export interface OAuthClients {
  find(id: string): Promise<RegisteredClient | undefined>;
  add(client: Omit<RegisteredClient, 'lastUsedAt'>): Promise<void>;
  /** Oldest first. */
  list(): Promise<RegisteredClient[]>;
  /** A no-op for ids that did not register, such as those of metadata documents. */
  touch(id: string, at: Date): Promise<void>;
  /** Removes the client, if it registered, with all its grants. False when there was neither. */
  remove(id: string): Promise<boolean>;
}

/** Redirect URIs beyond loopback that the operator trusts; exact strings. */
export interface ApprovedRedirectUris {
  /** Ascending. */
  list(): Promise<string[]>;
  has(uri: string): Promise<boolean>;
  /** A no-op when it is approved already. */
  approve(uri: string): Promise<void>;
  /** False when it was not approved. */
  withdraw(uri: string): Promise<boolean>;
}

/** A browser that a user signed in with. */
export interface SignInSession {
  /** Hash of the cookie. */
  idHash: string;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
}

export interface SignInSessions {
  /** Undefined when there is none or it has expired. */
  find(idHash: string, now: Date): Promise<SignInSession | undefined>;
  add(session: SignInSession): Promise<void>;
  /** A no-op when there is none. */
  remove(idHash: string): Promise<void>;
}

/** Everything the authorization server keeps. Grants, and sessions, go with their user. */
export interface OAuthStore {
  records: OAuthRecords;
  grants: OAuthGrants;
  clients: OAuthClients;
  approvedRedirectUris: ApprovedRedirectUris;
  signInSessions: SignInSessions;
  /**
   * Removes what has expired: records, sessions, grants without a record, and registrations without a grant that were
   * never used since `unusedSince`, or not used since `idleSince`.
   */
  collect(moment: { now: Date; unusedSince: Date; idleSince: Date }): Promise<CollectedCounts>;
}

export interface CollectedCounts {
  records: number;
  grants: number;
  clients: number;
  sessions: number;
}
