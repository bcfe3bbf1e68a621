import { parseClientMetadata } from '../src/oauth/client-metadata.ts';
import { checkRedirectUri } from '../src/oauth/redirect-uris.ts';
import { createCommand, runCommand, UsageError, withStores } from './command.ts';

const command = createCommand('clients', 'Redirect URIs that clients may have, and clients that registered.');

command
  .command('approve <uri>')
  .description(
    'Let clients have this redirect URI: hosted https or a private-use scheme, as an exact string.',
  )
  .action((uri: string) =>
    withStores(async ({ oauth }) => {
      const checked = checkRedirectUri(uri);
      if ('fault' in checked) throw new UsageError(`${uri} ${checked.fault}.`);
      if (checked.kind === 'loopback') {
        throw new UsageError(
          `${uri} is a loopback address, which every native client may have without approval.`,
        );
      }
      await oauth.approvedRedirectUris.approve(uri);
      process.stdout.write(`${uri}\n`);
    }),
  );

command
  .command('approved')
  .description('List the redirect URIs that are approved by command; APPROVED_REDIRECT_URIS has more.')
  .action(() =>
    withStores(async ({ oauth }) => {
      for (const uri of await oauth.approvedRedirectUris.list()) process.stdout.write(`${uri}\n`);
    }),
  );

command
  .command('withdraw <uri>')
  .description('Take an approval back; clients cannot be authorized at this address any more.')
  .action((uri: string) =>
    withStores(async ({ oauth }) => {
      if (!(await oauth.approvedRedirectUris.withdraw(uri))) {
        throw new UsageError(
          `${uri} is not approved by command. List those that are with: npm run clients -- approved`,
        );
      }
    }),
  );

command
  .command('list')
  .description('List the clients that registered, oldest first.')
  .action(() =>
    withStores(async ({ oauth }) => {
      for (const { id, metadata, createdAt, lastUsedAt } of await oauth.clients.list()) {
        const { client_name: name, redirect_uris: redirects } = parseClientMetadata(metadata);
        const used = lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt.toISOString()}`;
        const line = [
          id,
          name ?? 'no name',
          `registered ${createdAt.toISOString()}`,
          used,
          redirects.join(' '),
        ];
        process.stdout.write(`${line.join('\t')}\n`);
      }
    }),
  );

command
  .command('remove <id>')
  .description(
    'Remove a client, by its id or the URL of its metadata document, with every connection that it has.',
  )
  .action((id: string) =>
    withStores(async ({ oauth }) => {
      if (!(await oauth.clients.remove(id))) {
        throw new UsageError(
          `There is no client ${id}. List those that registered with: npm run clients -- list`,
        );
      }
    }),
  );

await runCommand(command);
