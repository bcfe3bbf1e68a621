import { setTimeout as sleep } from 'node:timers/promises';
import { EngineUnavailableError } from '../domain/errors.ts';
import type { IndexTarget } from '../ports/catalogue.ts';
import { indexPending, type IndexPorts } from './index-pending.ts';
import { comparedSearch, comparedVectors, reconcile } from './reconcile.ts';

const POLL_MS = 1000;
/** An engine that is down is asked this often at least, so that searches are whole again soon after it is back. */
const MAX_BACKOFF_MS = 5000;

/**
 * Follows the catalogue for as long as the process runs, so that an index catches up by itself when its engine is
 * back. At the start and after every outage it is compared with the catalogue as a whole: the engine may have lost
 * what it held, or be another one than was written to before.
 * `stop` resolves when the batch under way is finished.
 */
export function keepIndexed(
  ports: IndexPorts,
  target: IndexTarget,
  log: { warn: (fields: object, message: string) => void },
): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const index = target === 'text' ? comparedSearch(ports.search) : comparedVectors(ports, ports.vectors);

  async function follow(): Promise<void> {
    let delay = POLL_MS;
    let compared = false;
    while (!signal.aborted) {
      try {
        await indexPending(ports, target, { signal });
        if (!compared) await reconcile(ports.catalogue, index, { signal });
        compared = true;
        delay = POLL_MS;
      } catch (error) {
        if (signal.aborted) return;
        compared = false;
        delay = Math.min(delay * 2, MAX_BACKOFF_MS);
        const engine = error instanceof EngineUnavailableError ? error.engine : undefined;
        log.warn({ err: error, target, engine, retryInMs: delay }, 'index is behind the catalogue');
      }
      // The signal ends the wait early, which is no error here.
      await sleep(delay, undefined, { signal }).catch(() => {});
    }
  }

  const following = follow();
  return {
    async stop() {
      stopping.abort();
      await following;
    },
  };
}
