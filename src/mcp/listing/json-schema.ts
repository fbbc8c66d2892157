/** Output schemas of tools, cut to the names and types of their fields: every session pays for each word of them. */
import { z } from 'zod';

import type { JsonSchema, ObjectSchema } from '../../params/json-schema.js';

/** First fields of every document: the instructions explain them once for all tools. */
const COMMON = new Set(['schemaVersion', 'ref', 'commit', 'coverage', 'dirty', 'overlay']);

/**
 * The fields of an answer with their types, and the names of those of entries. Nothing is required and further fields are allowed:
 * a failure (`error`) is an answer as well, and clients check those too. An optional field with the name of an `unoffered` parameter
 * is left out: no call can ask for it.
 */
export function outputSchema(
  schema: z.ZodType,
  unoffered: ReadonlySet<string>,
  further: Record<string, JsonSchema>,
): ObjectSchema {
  const document = z.toJSONSchema(schema) as JsonSchema;
  const definitions = (document.$defs ?? {}) as Record<string, JsonSchema>;
  const read = (field: JsonSchema) => outline(field, { definitions, root: document });
  const required = new Set(document.required as string[] | undefined);
  const isShown = (name: string) => !COMMON.has(name) && (required.has(name) || !unoffered.has(name));
  const fields = Object.entries((document.properties ?? {}) as Record<string, JsonSchema>);
  const named = fields.filter(([name]) => isShown(name)).map(([name, field]) => [name, read(field)]);
  return { type: 'object', properties: { ...Object.fromEntries(named), ...further } };
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Definitions that references lead to. */
interface Document {
  definitions: Record<string, JsonSchema>;
  root: JsonSchema;
}

function outline(schema: JsonSchema, document: Document): JsonSchema {
  const { $ref, items } = schema;
  if (typeof $ref === 'string') return outline(follow($ref, document), document);
  const choices = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as JsonSchema[] | undefined;
  if (choices !== undefined) return union(choices.map((choice) => outline(choice, document)));
  if (schema.type === 'array')
    return isObject(items) ? { type: 'array', ...entries(items, document) } : { type: 'array' };
  return schema.type === undefined ? {} : { type: schema.type };
}

/** Keeps the names of an object's fields, and nothing of other types. */
function entries(schema: JsonSchema, document: Document): { items?: JsonSchema } {
  const { $ref } = schema;
  if (typeof $ref === 'string') return entries(follow($ref, document), document);
  if (!isObject(schema.properties)) return {};
  const names = Object.keys(schema.properties).map((name) => [name, {}]);
  return { items: { properties: Object.fromEntries(names) } };
}

function follow(reference: string, { definitions, root }: Document): JsonSchema {
  return reference === '#' ? root : (definitions[reference.replace('#/$defs/', '')] ?? {});
}

/** Several types as one: exact where all but null are the same, else only the names of the types. */
function union(choices: readonly JsonSchema[]): JsonSchema {
  const types = [...new Set(choices.flatMap(({ type }) => (type ?? []) as string | string[]))];
  if (choices.some(({ type }) => type === undefined)) return {};
  const [only, ...others] = choices.filter(({ type }) => type !== 'null');
  return { ...(others.length === 0 && only), type: types.length === 1 ? types[0] : types };
}
