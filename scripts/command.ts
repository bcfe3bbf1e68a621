import { Command, CommanderError } from 'commander';
import { ConfigurationError, EngineUnavailableError, inFull, VitrineError } from '../src/domain/errors.ts';
import { EXIT_CONFIGURATION, readConfigOrExit, type Config } from '../src/config.ts';
import { openLibrary, openStores, type OpenLibrary, type OpenOptions, type SqlStores } from '../src/wire.ts';

/** Exit code for a command line that cannot be understood (EX_USAGE of sysexits.h). */
export const EXIT_USAGE = 64;

/** A command line that is understood but cannot be carried out as asked. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** A command called `name`, that ends with EXIT_USAGE when its arguments are wrong. */
export function createCommand(name: string, description: string): Command {
  return new Command(name).description(description).exitOverride().showHelpAfterError();
}

/** Parses the process's arguments and runs the command; every error ends as one line and its exit code. */
export async function runCommand(command: Command): Promise<void> {
  try {
    await command.parseAsync();
  } catch (error) {
    process.exitCode = explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof UsageError || (error instanceof VitrineError && error.code === 'invalid_argument')) {
    process.stderr.write(`${error.message}\n`);
    return EXIT_USAGE;
  }
  if (error instanceof ConfigurationError) {
    process.stderr.write(`${error.message}\n`);
    return EXIT_CONFIGURATION;
  }
  if (error instanceof EngineUnavailableError) {
    process.stderr.write(`${inFull(error)}\n`);
    return 1;
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}

/** Opens the configured library for as long as `work` takes. */
export async function withLibrary<T>(
  work: (open: OpenLibrary, config: Config) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const config = readConfigOrExit();
  const open = await openLibrary(config, options);
  try {
    return await work(open, config);
  } finally {
    await open.close();
  }
}

/** Opens the catalogue and the accounts alone, which takes no model and no index. */
export async function withStores<T>(work: (stores: SqlStores, config: Config) => Promise<T>): Promise<T> {
  const config = readConfigOrExit();
  const stores = await openStores(config);
  try {
    return await work(stores, config);
  } finally {
    await stores.close();
  }
}
