import type { FlowRecord } from '../domain/screen.ts';
import type { Catalogue } from '../ports/catalogue.ts';
import type { FlowEntry } from './manifest.ts';
import type { IngestReport } from './report.ts';

const FLOWS_PER_TRANSACTION = 100;

/**
 * Takes in the flows, after their screens. A flow that names a screen which neither this manifest nor the library has
 * is rejected; its other faults were found before. Counts and rejects go to `report`.
 *
 * @param goodIds screens of this manifest that went in, or would have
 */
export async function ingestFlows({
  catalogue,
  flows,
  goodIds,
  report,
  dryRun,
}: {
  catalogue: Pick<Catalogue, 'flow' | 'screens' | 'save'>;
  flows: readonly FlowEntry[];
  goodIds: ReadonlySet<string>;
  report: IngestReport;
  dryRun: boolean;
}): Promise<void> {
  const batch: FlowRecord[] = [];
  for (const entry of flows) {
    const screens = await catalogue.screens(entry.screenIds);
    const present = new Set(screens.map((screen) => screen.id));
    const unknown = entry.screenIds.findIndex((id) => !goodIds.has(id) && !present.has(id));
    if (unknown >= 0) {
      report.flows.rejected += 1;
      const reason = `names the screen "${entry.screenIds[unknown]}", which is neither in this manifest nor in the library, or was rejected`;
      report.rejects.push({ place: `${entry.place}screenIds[${unknown}]`, id: entry.id, reason });
      continue;
    }
    if (dryRun) continue;
    const latest = screens
      .map((screen) => screen.capturedAt)
      .toSorted()
      .at(-1);
    const record = recordOf(entry, entry.capturedAt ?? latest ?? '');
    const existing = await catalogue.flow(entry.id);
    if (existing !== undefined && JSON.stringify(existing) === JSON.stringify(record)) {
      report.flows.unchanged += 1;
      continue;
    }
    report.flows[existing === undefined ? 'added' : 'updated'] += 1;
    batch.push(record);
    if (batch.length >= FLOWS_PER_TRANSACTION) await catalogue.save({ flows: batch.splice(0) });
  }
  if (batch.length > 0) await catalogue.save({ flows: batch });
}

/** Members in the catalogue's order, so that two records can be compared by their JSON. */
function recordOf(entry: FlowEntry, capturedAt: string): FlowRecord {
  return {
    id: entry.id,
    appId: entry.appId,
    type: entry.type,
    name: entry.name,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    screenIds: entry.screenIds,
    capturedAt,
  };
}
