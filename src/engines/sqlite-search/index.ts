import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { EngineUnavailableError } from '../../domain/errors.ts';
import type { NewestPosition, TextQuery } from '../../domain/query.ts';
import type { Facets, SearchHit, SearchIndex, SearchPage } from '../../ports/search-index.ts';
import { inTransaction, openDatabase } from './database.ts';
import {
  countStatement,
  newestStatement,
  rankingStatement,
  type Selection,
  type Statement,
} from './query-builder.ts';
import { expressionsByStrictness, scaleBelow, widestExpression } from './ranking.ts';
import { createSpelling } from './spelling.ts';
import { createWriter } from './writer.ts';

/** Questions differ in shape far less than in words; each shape is prepared once. */
const MAX_PREPARED_STATEMENTS = 200;

/**
 * The text index in one SQLite file, made when it is not there. Several processes may read and write it at once; each
 * search sees every write that was committed before it began. An index written by another version of this engine
 * counts no screens until it is filled again.
 * Throws ConfigurationError when the file is no SQLite database, EngineUnavailableError when it cannot be opened.
 */
export async function createSqliteSearch({ file }: { file: string }): Promise<SearchIndex> {
  const database = openDatabase(file);
  const writer = attempt(() => createWriter(database));
  const searcher = attempt(() => createSearcher(database));
  return {
    upsert: async (documents) => attempt(() => writer.upsert(documents)),
    remove: async (ids) => attempt(() => writer.remove(ids)),
    search: async (query) => attempt(() => inTransaction(database, 'DEFERRED', () => searcher.search(query))),
    facets: async () => attempt(() => inTransaction(database, 'DEFERRED', () => searcher.facets())),
    count: async () => attempt(() => searcher.count({ filter: {} })),
    list: async (after, limit) => attempt(() => searcher.list(after, limit)),
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

/** Whatever SQLite complains of (locked, full, gone, damaged), the index cannot be asked now. */
function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_SQLITE_ERROR' && code !== 'ERR_INVALID_STATE') throw error;
    throw new EngineUnavailableError('The search index', { cause: error });
  }
}

function createSearcher(database: DatabaseSync) {
  const spelling = createSpelling(database);
  const prepared = new LRUCache<string, StatementSync>({ max: MAX_PREPARED_STATEMENTS });

  function prepare({ sql }: Statement): StatementSync {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  }

  function count(selection: Selection): number {
    const statement = countStatement(selection);
    return Number(prepare(statement).get(...statement.values)?.['total']);
  }

  /** Reads on to the end of the page's last second: only then is the order within that second known. */
  function newest(selection: Selection, limit: number, after?: NewestPosition): SearchHit[] {
    const statement = newestStatement(selection, after);
    const hits: SearchHit[] = [];
    let second: unknown;
    for (const row of prepare(statement).iterate(...statement.values)) {
      if (hits.length >= limit && row['second'] !== second) break;
      second = row['second'];
      hits.push({ id: String(row['id']), score: 0, capturedAt: String(row['captured_at']) });
    }
    return hits.toSorted(newestFirst).slice(0, limit);
  }

  function byRelevance({ terms, filter }: TextQuery, limit: number): SearchHit[] {
    const hits: SearchHit[] = [];
    for (const match of expressionsByStrictness(terms, spelling)) {
      const without = hits.map(({ id }) => id);
      const statement = rankingStatement({ match, filter }, { without, limit: limit - hits.length });
      const found = prepare(statement)
        .all(...statement.values)
        .map((row) => ({
          id: String(row['id']),
          score: Number(row['score']),
          capturedAt: String(row['captured_at']),
        }));
      hits.push(...scaleBelow(found, hits.at(-1)));
      if (hits.length >= limit) break;
    }
    return hits;
  }

  function search(query: TextQuery): SearchPage {
    const { terms, filter, limit, order } = query;
    const match = terms.length === 0 ? undefined : widestExpression(terms, spelling);
    const selection = { filter, ...(match === undefined ? {} : { match }) };
    const total = count(selection);
    if (total === 0) return { hits: [], total };
    switch (order.by) {
      case 'newest':
        return { hits: newest(selection, limit, order.after), total };
      case 'relevance': {
        const depth = order.offset + limit;
        const hits = terms.length === 0 ? newest(selection, depth) : byRelevance(query, depth);
        return { hits: hits.slice(order.offset), total };
      }
      default:
        return order satisfies never;
    }
  }

  function facets(): Facets {
    const counts = (table: string, column: string) =>
      database
        .prepare(`SELECT ${column} AS value, count(*) AS count FROM ${table} GROUP BY 1 ORDER BY 2 DESC, 1`)
        .all()
        .map((row) => ({ value: String(row['value']), count: Number(row['count']) }));
    return {
      patterns: counts('screen_pattern', 'pattern'),
      apps: counts('screen', 'app_id'),
      platforms: counts('screen', 'platform'),
    };
  }

  function list(after = '', limit: number): { id: string; version: number }[] {
    return database
      .prepare('SELECT id, version FROM screen WHERE id > ? ORDER BY id LIMIT ?')
      .all(after, limit)
      .map((row) => ({ id: String(row['id']), version: Number(row['version']) }));
  }

  return { search, count, facets, list };
}

function newestFirst(one: SearchHit, other: SearchHit): number {
  if (one.capturedAt !== other.capturedAt) return one.capturedAt > other.capturedAt ? -1 : 1;
  return Buffer.compare(Buffer.from(one.id), Buffer.from(other.id));
}
