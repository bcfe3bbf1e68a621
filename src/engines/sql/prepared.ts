import type { CompiledQuery } from 'kysely';
import type { Database } from './schema.ts';

/** Stands in a compiled query for a value that is not known yet. */
class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

type Values = Record<string, string | null>;

/** Runs a query with values, by a connection or transaction of its database; returns its rows. */
export type Prepared<Given extends Values, Row> = (executor: Database, values: Given) => Promise<Row[]>;

/**
 * A query that is built and compiled once, for the statements that every request needs: to build one takes longer than
 * SQLite takes to answer it.
 * @param build the query, with `value(name)` where a value of that name will be
 */
export function prepare<Given extends Values, Row>(
  build: (value: <Name extends keyof Given>(name: Name) => Given[Name]) => { compile(): CompiledQuery<Row> },
): Prepared<Given, Row> {
  const compiled = build((name) => new Placeholder(name) as never).compile();
  return async (executor, values) => {
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Given] : parameter,
    );
    const { rows } = await executor.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
