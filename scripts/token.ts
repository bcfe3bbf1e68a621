import { createKeySet, ensureSigningKeys } from '../src/oauth/key-set.ts';
import { issueAccessToken } from '../src/oauth/issue-token.ts';
import { protectedResources } from '../src/oauth/resources.ts';
import { createCommand, runCommand, UsageError, withStores } from './command.ts';

/** The client that grants made on the command line belong to. */
const CLIENT_ID = 'cli';

const command = createCommand('token', 'Print an access token, and nothing else.')
  .requiredOption('--user <email>', 'whose token')
  .requiredOption('--resource <api|mcp>', 'what it is for: the REST API or the MCP endpoint')
  .option('--scope <scopes>', 'space-separated; all scopes of the resource if absent')
  .action(async (options: { user: string; resource: string; scope?: string }) => {
    await withStores(async (stores, config) => {
      const resources = protectedResources(config);
      if (options.resource !== 'api' && options.resource !== 'mcp') {
        throw new UsageError(`There is no resource "${options.resource}"; it is api or mcp.`);
      }
      const resource = resources[options.resource];
      const scopes = options.scope?.split(' ').filter((scope) => scope !== '') ?? resource.scopes;
      const unknown = scopes.filter((scope) => !resource.scopes.includes(scope));
      if (unknown.length > 0) {
        throw new UsageError(
          `${resource.name} has no scope ${unknown.join(', ')}; its scopes are ${resource.scopes.join(', ')}.`,
        );
      }
      const user = await stores.accounts.userByEmail(options.user);
      if (user === undefined)
        throw new UsageError(`There is no account for ${options.user}; see npm run users -- list.`);

      await ensureSigningKeys(stores.signingKeys, new Date());
      const scope = scopes.join(' ');
      // One grant for each use of the command line, found again, so that tokens do not pile up grants.
      const granted = (await stores.grants.grantsOf(user.id)).find(
        (grant) => grant.clientId === CLIENT_ID && grant.resource === resource.id && grant.scope === scope,
      );
      const grant =
        granted ??
        (await stores.grants.add({ userId: user.id, clientId: CLIENT_ID, resource: resource.id, scope }));
      const keySet = createKeySet(stores.signingKeys);
      const token = await issueAccessToken({ issuer: config.baseUrl, resource, grant, keySet });
      process.stdout.write(`${token}\n`);
    });
  });

await runCommand(command);
