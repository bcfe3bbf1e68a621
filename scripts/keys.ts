import { generateSigningKey, KEY_POLL_SECONDS } from '../src/oauth/key-set.ts';
import { protectedResources } from '../src/oauth/resources.ts';
import { createCommand, runCommand, withStores } from './command.ts';

const command = createCommand('keys', 'Signing keys of access tokens.');

command
  .command('list')
  .description('List the keys that verify, oldest first.')
  .action(() =>
    withStores(async ({ signingKeys }) => {
      for (const key of await signingKeys.keys(new Date())) {
        const until = key.retiredAt === undefined ? 'no end' : `until ${key.retiredAt}`;
        process.stdout.write(`${key.kid}\t${key.alg}\tsigns from ${key.activeFrom}\tverifies ${until}\n`);
      }
    }),
  );

command
  .command('rotate')
  .description('Make a new key of each algorithm; tokens signed by the old ones stay good until they expire.')
  .action(() =>
    withStores(async ({ signingKeys }, config) => {
      const now = Date.now();
      // Published one poll before it signs, so that every process and client knows it in time.
      const activeFrom = new Date(now + KEY_POLL_SECONDS * 1000);
      for (const resource of Object.values(protectedResources(config))) {
        // Another process may go on signing with the old key for one poll more.
        const seconds = 2 * KEY_POLL_SECONDS + resource.accessTokenSeconds;
        const key = await generateSigningKey(resource.signingAlgorithm, activeFrom);
        await signingKeys.rotate(key, new Date(now + seconds * 1000));
        process.stdout.write(`${key.kid}\t${key.alg}\tsigns from ${key.activeFrom}\n`);
      }
    }),
  );

await runCommand(command);
