import { generatePassword, hashPassword } from '../src/accounts/password.ts';
import { parsePlan, PLANS, type Plan } from '../src/domain/vocabulary.ts';
import type { Accounts, User } from '../src/ports/accounts.ts';
import { createCommand, runCommand, UsageError, withStores } from './command.ts';

const command = createCommand('users', 'Accounts and their plans.');

command
  .command('add <email>')
  .description('Make an account and print its password once.')
  .requiredOption('--plan <plan>', PLANS.join(', '))
  .action((email: string, options: { plan: string }) =>
    withStores(async ({ accounts }) => {
      if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError(`"${email}" is not an e-mail address.`);
      const plan = planOf(options.plan);
      const password = generatePassword();
      await accounts.add({ email, plan, passwordHash: await hashPassword(password) });
      print(`${email} is on plan ${plan}. Password: ${password}`);
    }),
  );

command
  .command('list')
  .description('List accounts.')
  .action(() =>
    withStores(async ({ accounts }) => {
      for (const user of await accounts.users())
        print(`${user.email ?? user.id}\t${user.plan}\t${user.createdAt}`);
    }),
  );

command
  .command('plan <email> <plan>')
  .description('Put an account on another plan.')
  .action((email: string, plan: string) =>
    withStores(async ({ accounts }) => {
      const user = await find(accounts, email);
      await accounts.setPlan(user.id, planOf(plan));
      print(`${email} is on plan ${planOf(plan)}.`);
    }),
  );

command
  .command('password <email>')
  .description('Make a new password and print it once.')
  .action((email: string) =>
    withStores(async ({ accounts }) => {
      const user = await find(accounts, email);
      const password = generatePassword();
      await accounts.setPasswordHash(user.id, await hashPassword(password));
      print(`Password of ${email}: ${password}`);
    }),
  );

command
  .command('remove <email>')
  .description('Remove an account with everything it allowed.')
  .action((email: string) =>
    withStores(async ({ accounts }) => {
      await accounts.remove((await find(accounts, email)).id);
      print(`${email} is removed.`);
    }),
  );

await runCommand(command);

async function find(accounts: Accounts, email: string): Promise<User> {
  const user = await accounts.userByEmail(email);
  if (user === undefined) throw new UsageError(`There is no account for ${email}.`);
  return user;
}

function planOf(value: string): Plan {
  const plan = parsePlan(value);
  if (plan === undefined)
    throw new UsageError(`There is no plan "${value}"; the plans are ${PLANS.join(', ')}.`);
  return plan;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
