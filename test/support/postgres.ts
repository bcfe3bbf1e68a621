import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { environmentWith } from './environment.ts';

const START_MS = 60_000;
const PASSWORD = 'a password of the test';

/** A Postgres server of its own, on a scratch folder and a free port of this machine. */
export interface TestPostgres {
  /** Of the database that every server has. */
  url: string;
  /** Makes a database; the address it is reached at. */
  createDatabase(): Promise<string>;
  /** The same address with another password. */
  withPassword(url: string, password: string): string;
  /** `kill`: as when the machine fails. `fast`: as an operator stops it. */
  stop(how: 'kill' | 'fast'): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const bin = await binaries();
  const owner = unprivileged();
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-postgres-'));
  const data = join(dir, 'data');
  const passwordFile = join(dir, 'password');
  await writeFile(passwordFile, PASSWORD);
  if (owner !== undefined) {
    await chown(dir, owner.uid, owner.gid);
    await chown(passwordFile, owner.uid, owner.gid);
  }
  const options = { ...owner, cwd: dir, env: { ...environmentWith({}), HOME: dir } };
  execFileSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'vitrine',
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ].concat(`--pwfile=${passwordFile}`),
    { ...options, stdio: 'pipe' },
  );
  const port = await freePort();
  const urlOf = (database: string) =>
    `postgres://vitrine:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;

  let server: ChildProcess | undefined;
  // A run that is broken off leaves nothing behind.
  process.once('exit', () => server?.kill('SIGKILL'));
  async function start(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off'];
    server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...options,
      stdio: 'ignore',
    });
    const deadline = Date.now() + START_MS;
    while (!(await answers(urlOf('postgres')))) {
      if (Date.now() > deadline) throw new Error('Postgres did not start in time.');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function stop(how: 'kill' | 'fast'): Promise<void> {
    if (server === undefined) return;
    const ended = once(server, 'exit');
    // SIGQUIT leaves without a checkpoint, so that the next start recovers from the log; SIGINT ends all connections.
    server.kill(how === 'kill' ? 'SIGQUIT' : 'SIGINT');
    await ended;
    server = undefined;
  }

  await start();
  return {
    url: urlOf('postgres'),
    start,
    stop,
    createDatabase: () => createDatabase(urlOf('postgres')),
    withPassword(url, password) {
      const changed = new URL(url);
      changed.password = password;
      return changed.href;
    },
    async close() {
      await stop('kill');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Makes a database beside the one that `url` names; the address it is reached at. */
export async function createDatabase(url: string): Promise<string> {
  const name = `library_${randomUUID().replaceAll('-', '')}`;
  await ask(url, `create database ${name}`);
  const made = new URL(url);
  made.pathname = name;
  return made.href;
}

/** Removes a database that createDatabase made, whoever is still connected to it. */
export async function dropDatabase(url: string, made: string): Promise<void> {
  await ask(url, `drop database ${new URL(made).pathname.slice(1)} with (force)`);
}

/** Where the newest installed server's programs are; Debian keeps them out of the PATH. */
async function binaries(): Promise<string> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => []);
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error('Postgres is not installed: apt-get install postgresql.');
  return `/usr/lib/postgresql/${newest}/bin`;
}

/** Postgres refuses to run as root; the package made a user for it. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (which: string) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url: string): Promise<boolean> {
  return ask(url, 'select 1').then(
    () => true,
    () => false,
  );
}

async function ask(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}
