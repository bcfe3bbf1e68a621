import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AppRecord, ScreenRecord } from '../domain/screen.ts';
import type { Catalogue } from '../ports/catalogue.ts';
import type { ImageStore } from '../ports/image-store.ts';
import type { IngestJournal } from '../ports/ingest-journal.ts';
import type { TextReader } from '../ports/text-reader.ts';
import { decode, sniffFormat, type RawImage } from './decode.ts';
import { embeddingIdOf } from './embedding-id.ts';
import { examine } from './examine.ts';
import { readExtracted } from './extracted-text.ts';
import { ingestFlows } from './flows.ts';
import { mapInOrder } from './in-order.ts';
import { readManifest, type ScreenEntry } from './manifest.ts';
import { createDuplicateFinder } from './near-duplicates.ts';
import { noteReplaced, removeReplaced } from './replaced-files.ts';
import { noCounts, type IngestReport, type Progress } from './report.ts';
import { readSourceFile, RejectedImageError } from './source-file.ts';
import { createSteps } from './steps/index.ts';
import { layoutFrom } from './steps/layout.ts';
import type { ImageFacts, SourceImage } from './step.ts';

/** One image decodes while another is read, on the two cores that a small machine has. */
const IMAGES_AT_ONCE = 2;
/** Records of one transaction: few, so that what is in can be searched soon. */
const SCREENS_PER_TRANSACTION = 20;

export interface IngestOptions {
  catalogue: Catalogue;
  journal: IngestJournal;
  images: ImageStore;
  /** Absent: images go in with the text that is known already, or with none. */
  reader: TextReader | undefined;
  onProgress?: (progress: Progress) => void;
}

export interface Ingest {
  /**
   * Takes in what the folder's manifest names. What is wrong is rejected by place and reason, the rest goes in. A run
   * that ended at any point goes on when it is run again; a run over the same folder again changes nothing.
   *
   * `dryRun` checks everything, decodes every image, and writes nothing. An aborted `signal` ends the run after the
   * images under way.
   * Throws InvalidArgumentError when the folder has no usable manifest, EngineUnavailableError when text cannot be read.
   */
  run(folder: string, options: { dryRun?: boolean; signal?: AbortSignal }): Promise<IngestReport>;
}

/** What became of one screen of the manifest. */
type Outcome =
  | { entry: ScreenEntry; kind: 'rejected'; reason: string }
  | { entry: ScreenEntry; kind: 'checked'; record: undefined }
  | ({ entry: ScreenEntry; kind: 'added' | 'updated' | 'unchanged' } & FinishedScreen);

/** A screen ready to be saved. */
interface FinishedScreen {
  record: ScreenRecord;
  /** What the catalogue has under its id. */
  before: ScreenRecord | undefined;
}

export function createIngest({ catalogue, journal, images, reader, onProgress }: IngestOptions): Ingest {
  return {
    async run(folder, { dryRun = false, signal }) {
      const manifest = await readManifest(folder);
      const report: IngestReport = {
        screens: { ...noCounts(), rejected: manifest.rejected.screens },
        flows: { ...noCounts(), rejected: manifest.rejected.flows },
        rejects: manifest.rejects,
        nearDuplicates: [],
        interrupted: false,
      };
      const steps = createSteps(reader, await readExtracted(folder));
      const duplicates = await createDuplicateFinder(catalogue, images);
      const knownApps = new Set((await catalogue.apps()).map((app) => app.id));
      const apps = new Map(manifest.apps.map((app) => [app.id, app]));
      const goodIds = new Set<string>();
      let batch: FinishedScreen[] = [];

      async function take(entry: ScreenEntry): Promise<Outcome | undefined> {
        if (signal?.aborted === true) return undefined;
        try {
          const image = openImage(await readSourceFile(folder, entry.file));
          if (dryRun) {
            await image.pixels();
            return { entry, kind: 'checked', record: undefined };
          }
          return await settle(entry, image);
        } catch (error) {
          if (error instanceof RejectedImageError) return { entry, kind: 'rejected', reason: error.message };
          throw error;
        }
      }

      async function settle(entry: ScreenEntry, image: SourceImage): Promise<Outcome> {
        const before = await catalogue.screen(entry.id);
        if (before?.sha256 === image.sha256) {
          const record = { ...withoutCaption(before), ...describedBy(entry) };
          return { entry, kind: isDeepStrictEqual(record, before) ? 'unchanged' : 'updated', record, before };
        }
        const record = recordOf(entry, image, await examine(image, steps, { journal, images }));
        return { entry, kind: before === undefined ? 'added' : 'updated', record, before };
      }

      async function accept(outcome: Outcome): Promise<void> {
        const { entry } = outcome;
        if (outcome.kind === 'rejected') {
          report.screens.rejected += 1;
          const { id, file, place } = entry;
          report.rejects.push({ place: `${place}file`, id, file, reason: outcome.reason });
          return;
        }
        goodIds.add(entry.id);
        if (outcome.kind === 'checked') return;
        report.screens[outcome.kind] += 1;
        if (outcome.kind === 'unchanged') {
          // Left by a run that ended between the transaction and this.
          await journal.forget(outcome.record.sha256);
          return;
        }
        batch.push(outcome);
        if (batch.length >= SCREENS_PER_TRANSACTION) await save();
      }

      async function save(): Promise<void> {
        const finished = batch;
        batch = [];
        if (finished.length === 0) return;
        const screens = finished.map(({ record }) => record);
        const renewed = finished.filter(({ record, before }) => record.sha256 !== before?.sha256);
        const links = await duplicates.add(renewed.map(({ record }) => record));
        for (const { before } of renewed) if (before !== undefined) await noteReplaced(before, journal);
        await catalogue.save({ apps: appsOf(screens), screens, nearDuplicates: links });
        for (const { record } of renewed) await journal.forget(record.sha256);
        report.nearDuplicates.push(...links);
      }

      /** Every screen's app is in the catalogue; one that the manifest does not name is called by its id. */
      function appsOf(screens: readonly ScreenRecord[]): AppRecord[] {
        const fresh = new Set(screens.map((screen) => screen.appId).filter((id) => !knownApps.has(id)));
        for (const id of fresh) knownApps.add(id);
        return [...fresh].map((id) => apps.get(id) ?? { id, name: id });
      }

      let done = 0;
      for await (const outcome of mapInOrder(manifest.screens, IMAGES_AT_ONCE, take)) {
        if (outcome === undefined) continue;
        await accept(outcome);
        done += 1;
        onProgress?.({ done, total: manifest.screens.length, id: outcome.entry.id });
      }
      await save();
      report.interrupted = signal?.aborted === true;
      if (!dryRun) {
        await removeReplaced({ catalogue, images, journal });
        await renameApps(catalogue, manifest.apps);
      }
      if (!report.interrupted)
        await ingestFlows({ catalogue, flows: manifest.flows, goodIds, report, dryRun });
      return report;
    },
  };
}

function openImage(bytes: Uint8Array): SourceImage {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  let decoded: Promise<RawImage> | undefined;
  return { bytes, sha256, pixels: () => (decoded ??= decode(bytes)) };
}

/** What the manifest says of a screen. */
function describedBy(entry: ScreenEntry) {
  return {
    id: entry.id,
    appId: entry.appId,
    pattern: entry.pattern,
    platform: entry.platform,
    ...(entry.captionText === undefined ? {} : { caption: entry.captionText }),
    capturedAt: entry.capturedAt,
  };
}

function recordOf(entry: ScreenEntry, image: SourceImage, facts: ImageFacts): ScreenRecord {
  const { text } = facts.text;
  return {
    ...describedBy(entry),
    sha256: image.sha256,
    format: sniffFormat(image.bytes),
    bytes: image.bytes.byteLength,
    originalKey: facts.original.key,
    imageKey: facts.rendition.key,
    thumbKey: facts.thumbnail.key,
    ...facts.size,
    colors: facts.colors,
    ...(text === '' ? {} : { ocrText: text }),
    pHash: facts.hash,
    embeddingId: embeddingIdOf(entry.id),
    layout: layoutFrom(facts.layout),
  };
}

function withoutCaption({ caption: _caption, ...rest }: ScreenRecord): ScreenRecord {
  return rest;
}

/** Apps that the catalogue has take the manifest's name. */
async function renameApps(catalogue: Catalogue, apps: readonly AppRecord[]): Promise<void> {
  const names = new Map((await catalogue.apps()).map((app) => [app.id, app.name]));
  const renamed = apps.filter(({ id, name }) => names.has(id) && names.get(id) !== name);
  if (renamed.length > 0) await catalogue.save({ apps: renamed });
}
