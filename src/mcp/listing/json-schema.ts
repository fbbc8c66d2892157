/** Output schemas of tools, cut to the names and types of their fields: every session pays for each word of them. */
import type { JsonSchema, ObjectSchema } from '../../params/json-schema.js';
import type { ObjectShape } from '../../params/shape.js';

/** First fields of every document: the instructions explain them once for all tools. */
const COMMON = new Set(['schemaVersion', 'ref', 'commit', 'coverage', 'dirty', 'overlay']);

/**
 * The fields of an answer with their types, and the names of those of entries. Nothing is required and further fields are allowed:
 * a failure (`error`) is an answer as well, and clients check those too. An optional field with the name of an `unoffered` parameter
 * is left out: no call can ask for it.
 */
export function outputSchema(
  { fields }: ObjectShape,
  unoffered: ReadonlySet<string>,
  further: Record<string, JsonSchema>,
): ObjectSchema {
  const shown = Object.entries(fields).filter(
    ([name, { isOptional }]) => !COMMON.has(name) && !(isOptional && unoffered.has(name)),
  );
  const named = shown.map(([name, { jsonSchema }]) => [name, outline(jsonSchema)]);
  return { type: 'object', properties: { ...Object.fromEntries(named), ...further } };
}

function outline({ type, anyOf, items }: JsonSchema): JsonSchema {
  if (anyOf !== undefined) return union((anyOf as JsonSchema[]).map(outline));
  if (type === 'array') return { type, ...entries(items as JsonSchema) };
  return type === undefined ? {} : { type };
}

/** Keeps the names of an object's fields, and nothing of other types. */
function entries({ properties }: JsonSchema): { items?: JsonSchema } {
  if (properties === undefined) return {};
  const names = Object.keys(properties as object).map((name) => [name, {}]);
  return { items: { properties: Object.fromEntries(names) } };
}

/** Several types as one: exact where all but null are the same, else only the names of the types. */
function union(choices: readonly JsonSchema[]): JsonSchema {
  const types = [...new Set(choices.flatMap(({ type }) => (type ?? []) as string | string[]))];
  if (choices.some(({ type }) => type === undefined)) return {};
  const [only, ...others] = choices.filter(({ type }) => type !== 'null');
  return { ...(others.length === 0 && only), type: types.length === 1 ? types[0] : types };
}
