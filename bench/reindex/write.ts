// Run as a process of its own: writes screens at a rate until it is told to stop (SIGTERM), then prints as JSON what the
// library must hold of them: [id, marker or null where it was removed]. Arguments: writes a second.
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfigOrExit } from '../../src/config.ts';
import { embeddingIdOf } from '../../src/ingest/embedding-id.ts';
import { openStores } from '../../src/wire.ts';
import { createRandom, generateScreens } from '../generate.ts';
import { markedScreen } from './fill.ts';

const MOST_WRITES = 100_000;
const SEED = 99;

const rate = Number(process.argv[2]);
const stores = await openStores(readConfigOrExit());
const random = createRandom(SEED);
const held = new Map<string, string | null>();
let stopping = false;
process.on('SIGTERM', () => (stopping = true));

/** Of every ten writes about seven add a screen, two write one anew, one removes one. */
async function write(number: number, screen: Parameters<typeof markedScreen>[0]): Promise<void> {
  const known = [...held].filter(([, marker]) => marker !== null).map(([id]) => id);
  const chosen = known[Math.floor(random() * known.length)];
  const kind = random();
  if (chosen !== undefined && kind < 0.1) {
    await stores.catalogue.removeScreens([chosen]);
    held.set(chosen, null);
    return;
  }
  const id = chosen !== undefined && kind < 0.3 ? chosen : `written-${number}`;
  const marker = `written${number}x`;
  await stores.catalogue.save({
    screens: [markedScreen({ ...screen, id, appId: 'app-written', embeddingId: embeddingIdOf(id) }, marker)],
  });
  held.set(id, marker);
}

await stores.catalogue.save({ apps: [{ id: 'app-written', name: 'Written' }] });
// Whoever started this may stop it from now on.
process.stdout.write('\n');
let number = 0;
for (const screen of generateScreens(MOST_WRITES, SEED)) {
  if (stopping) break;
  const next = sleep(1000 / rate);
  await write((number += 1), screen);
  await next;
}
await stores.close();
process.stdout.write(JSON.stringify([...held]));
