import { z } from 'zod';
import { InvalidArgumentError, type Fault } from '../domain/errors.ts';

/** Reads a raw query string. Throws InvalidArgumentError naming every fault at once. */
export type QueryReader<Output> = (querystring: string) => Output;

/**
 * A strict reader of query strings. The schema says which parameters there are; one that takes a list may be repeated,
 * as `name=` or `name[]=`. An empty value is as good as none. Unknown parameters and repeated single ones are faults.
 *
 * The messages of the schema's checks are predicates: "must be at most 500 characters long".
 */
export function createQueryReader<Schema extends z.ZodObject>(schema: Schema): QueryReader<z.output<Schema>> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const isList = (name: string) => {
    const property = properties[name];
    return typeof property === 'object' && property.type === 'array';
  };
  const known = Object.keys(schema.shape);

  function faultOf(name: string, values: readonly string[]): string | undefined {
    if (!known.includes(name)) {
      const there = known.length === 0 ? 'there are none' : `the parameters are ${known.join(', ')}`;
      return `is not a parameter here; ${there}`;
    }
    if (values.length > 1 && !isList(name)) return 'must be given once';
    return values.some((value) => value.includes('\0')) ? 'must not contain the character U+0000' : undefined;
  }

  return (querystring) => {
    const parameters = new URLSearchParams(querystring);
    const single: Record<string, string> = {};
    const lists: Record<string, string[]> = {};
    const faults: Fault[] = [];
    for (const spelled of new Set(parameters.keys())) {
      const name = spelled.endsWith('[]') && isList(spelled.slice(0, -2)) ? spelled.slice(0, -2) : spelled;
      const values = parameters.getAll(spelled);
      const fault = faultOf(name, values);
      if (fault !== undefined) {
        const parameter = spelled.slice(0, 100);
        faults.push({ parameter, detail: `${parameter} ${fault}.` });
        continue;
      }
      const present = values.filter((value) => value !== '');
      if (isList(name)) (lists[name] ??= []).push(...present);
      else if (present[0] !== undefined) single[name] = present[0];
    }

    const result = schema.safeParse({ ...single, ...lists });
    if (!result.success) {
      faults.push(
        ...result.error.issues.map((issue) => {
          const parameter = String(issue.path[0]);
          return { parameter, detail: `${parameter} ${issue.message}.` };
        }),
      );
    }
    if (!result.success || faults.length > 0) throw new InvalidArgumentError(faults);
    return result.data;
  };
}
