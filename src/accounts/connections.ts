import type { Grants } from '../ports/accounts.ts';
import type { OAuthClients } from '../ports/oauth-store.ts';

/** A client that a user let in. */
export interface Connection {
  /** Of the grant. */
  id: string;
  clientName: string;
  /** Canonical resource identifier. */
  resource: string;
  scopes: string[];
  since: Date;
  /** Absent: never used. To the minute. */
  lastUse?: Date;
}

export interface Connections {
  /** Newest first. */
  of(userId: string): Promise<Connection[]>;
  /**
   * Ends one with all its tokens; access tokens stop within a minute. Undefined when the user has no such connection.
   */
  end(userId: string, id: string): Promise<Connection | undefined>;
}

/** Under which `npm run token` issues tokens. */
const COMMAND_LINE_CLIENT = 'cli';

export function createConnections({
  grants,
  clients,
}: {
  grants: Pick<Grants, 'grantsOf' | 'revoke'>;
  clients: Pick<OAuthClients, 'find'>;
}): Connections {
  async function nameOf(clientId: string): Promise<string> {
    if (clientId === COMMAND_LINE_CLIENT) return 'Command line (npm run token)';
    const registered = await clients.find(clientId);
    const name = registered?.metadata['client_name'];
    if (typeof name === 'string' && name.trim() !== '') return name;
    return URL.parse(clientId)?.host ?? 'A client without a name';
  }

  async function of(userId: string): Promise<Connection[]> {
    const found = await grants.grantsOf(userId);
    return Promise.all(
      found.map(async (grant) => ({
        id: grant.id,
        clientName: await nameOf(grant.clientId),
        resource: grant.resource,
        scopes: grant.scope.split(' ').filter((scope) => scope !== ''),
        since: new Date(grant.createdAt),
        ...(grant.lastUsedAt === undefined ? {} : { lastUse: new Date(grant.lastUsedAt) }),
      })),
    );
  }

  return {
    of,
    async end(userId, id) {
      const connection = (await of(userId)).find((candidate) => candidate.id === id);
      return connection !== undefined && (await grants.revoke(id)) ? connection : undefined;
    },
  };
}
