import type { ExpressionBuilder } from 'kysely';
import type { FlowRecord } from '../../domain/screen.ts';
import type { Catalogue, FlowFilter } from '../../ports/catalogue.ts';
import { toFlowRecord } from './rows.ts';
import type { Database, Tables } from './schema.ts';

type FlowQueries = Pick<Catalogue, 'flow' | 'flows' | 'flowsOf' | 'flowTypes'>;

export function flowQueries(db: Database): FlowQueries {
  async function withScreenIds(rows: Tables['flows'][]): Promise<FlowRecord[]> {
    if (rows.length === 0) return [];
    const places = await db
      .selectFrom('flow_screens')
      .selectAll()
      .where(
        'flow_id',
        'in',
        rows.map((row) => row.id),
      )
      .orderBy('flow_id')
      .orderBy('position')
      .execute();
    const screenIds = Map.groupBy(places, (place) => place.flow_id);
    return rows.map((row) =>
      toFlowRecord(
        row,
        (screenIds.get(row.id) ?? []).map((place) => place.screen_id),
      ),
    );
  }

  return {
    async flow(id) {
      const rows = await db.selectFrom('flows').selectAll().where('id', '=', id).execute();
      return (await withScreenIds(rows))[0];
    },

    async flows(filter, { limit, after }) {
      const matching = db.selectFrom('flows').where((where) => matches(where, filter));
      const { total } = await matching
        .select(({ fn }) => fn.countAll().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await matching
        .selectAll()
        .$if(after !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where('captured_at', '<', after!.capturedAt),
              where.and([where('captured_at', '=', after!.capturedAt), where('id', '>', after!.id)]),
            ]),
          ),
        )
        .orderBy('captured_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      return { flows: await withScreenIds(rows), total: Number(total) };
    },

    async flowsOf(screenId) {
      const rows = await db
        .selectFrom('flows')
        .selectAll()
        .where('id', 'in', db.selectFrom('flow_screens').select('flow_id').where('screen_id', '=', screenId))
        .orderBy('id')
        .execute();
      const flows = await withScreenIds(rows);
      return flows.map((flow) => ({ flow, step: flow.screenIds.indexOf(screenId) }));
    },

    async flowTypes() {
      const rows = await db
        .selectFrom('flows')
        .select(({ fn }) => ['type', fn.countAll().as('count')])
        .groupBy('type')
        .orderBy('count', 'desc')
        .orderBy('type')
        .execute();
      return rows.map((row) => ({ value: row.type, count: Number(row.count) }));
    },
  };
}

function matches(where: ExpressionBuilder<Tables, 'flows'>, { appId, type, platform }: FlowFilter) {
  return where.and([
    ...(appId === undefined ? [] : [where('app_id', '=', appId)]),
    ...(type === undefined ? [] : [where('type', '=', type)]),
    ...(platform === undefined
      ? []
      : [
          where.exists(
            where
              .selectFrom('flow_screens')
              .innerJoin('screens', 'screens.id', 'flow_screens.screen_id')
              .select('screens.id')
              .whereRef('flow_screens.flow_id', '=', 'flows.id')
              .where('screens.platform', '=', platform),
          ),
        ]),
  ]);
}
