import { destination, pino, type Logger } from 'pino';
import { createApp } from './app.ts';
import { EXIT_CONFIGURATION, readConfigOrExit } from './config.ts';
import { ConfigurationError, EngineUnavailableError, inFull } from './domain/errors.ts';
import { createDemoAccount, greeting, loadSample } from './first-start.ts';
import { keepIndexed } from './library/keep-indexed.ts';
import { closeAll, listen } from './listen.ts';
import { INDEX_TARGETS } from './ports/catalogue.ts';
import { createServices, openLibrary } from './wire.ts';

/** Requests under way get this long to finish when the process is told to stop. */
const SHUTDOWN_MS = 10_000;

/** How often expired codes, tokens, sessions and registrations that nobody uses are removed. */
const COLLECT_MS = 60 * 60 * 1000;

const config = readConfigOrExit();
// Standard output is for people; the log, JSON lines, goes to standard error.
const log = pino({ level: config.logLevel, base: null }, destination({ fd: 2, sync: true }));

try {
  await serve(log);
} catch (error) {
  fail(error);
}

async function serve(log: Logger): Promise<void> {
  const open = await openLibrary(config);
  const services = await createServices(open, config, log);
  const servers = await listen(createApp(services).callback(), config.hosts, config.port);

  const empty = (await open.stores.catalogue.countScreens()) === 0;
  const demo = empty && config.sample ? await createDemoAccount(open, config.baseUrl) : undefined;
  process.stdout.write(greeting(config, demo));

  const stopping = new AbortController();
  const collect = () =>
    services.authorizationServer
      .collect()
      .catch((error: unknown) => log.error({ err: error }, 'expired records could not be removed'));
  const collector = setInterval(() => void collect(), COLLECT_MS);
  const followers = INDEX_TARGETS.map((target) => keepIndexed(open.library, target, log));
  const sample =
    config.sample && (empty || (await open.stores.journal.images()).length > 0)
      ? loadSample(open, log, stopping.signal)
      : Promise.resolve();
  const background = sample.catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ err: error }, 'the sample library could not be loaded');
  });

  async function shutDown(): Promise<void> {
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    stopping.abort();
    clearInterval(collector);
    await closeAll(servers);
    await Promise.all([background, ...followers.map((follower) => follower.stop())]);
    await open.close();
    process.exit(0);
  }
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= shutDown().catch((error: unknown) => {
      log.error({ err: error }, 'not stopped cleanly');
      process.exit(1);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
}

function fail(error: unknown): never {
  if (error instanceof ConfigurationError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIGURATION);
  }
  if (error instanceof EngineUnavailableError) {
    process.stderr.write(`${inFull(error)}\n`);
    process.exit(1);
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    process.stderr.write(`Port ${config.port} is in use; set PORT to another one.\n`);
    process.exit(1);
  }
  log.fatal({ err: error }, 'cannot start');
  process.exit(1);
}
