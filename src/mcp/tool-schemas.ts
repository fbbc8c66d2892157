/** Tools as `tools/list` shows them, with JSON Schemas of their parameters and answers. Every session pays for each word of them. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Param } from '../params/param.js';
import type { Field } from '../params/read.js';
import { type Any, type JsonSchema, ObjectShape, union } from '../params/shape.js';
import { parameterNames, type Tool } from './tool-call.js';

/** Field that paging adds to a cut answer. Its own fields are not listed: the text of the reply repeats the cursor. */
const MORE = { more: { type: 'object' } };

/** `structured`: lists the schema of answers, which obliges the server to send their documents. */
export async function listTool(tool: Tool, structured: boolean): Promise<ListedTool> {
  const { name, title, description, effect, openWorld = false } = tool;
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool.fields) as ListedTool['inputSchema'],
    ...(structured && { outputSchema: await schemaOf(tool) }),
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'deletes',
      idempotentHint: true,
      openWorldHint: openWorld,
    },
  };
}

async function schemaOf(tool: Tool): Promise<ListedTool['outputSchema']> {
  const pages = parameterNames(tool).includes('cursor');
  return outputSchema(await tool.output(), tool.unoffered, pages ? MORE : {}) as ListedTool['outputSchema'];
}

/**
 * Fields, also of entries, that the text of a reply says in words: parse errors that may hide declarations, and how many more branches
 * have what an entry names.
 */
const IN_WORDS = ['parseErrors', 'refsLeftOut'];
/** Fields that many documents share: the instructions, or the text of a reply, explain them once for all tools. */
const COMMON = new Set(['schemaVersion', 'ref', 'commit', 'coverage', 'dirty', 'overlay', ...IN_WORDS]);

/**
 * Output schema of a tool, cut to the names and types of its fields and the names of those of entries. Nothing is required and
 * further fields are allowed: a failure (`error`) is an answer as well, and clients check those too. An optional field with the
 * name of an `unoffered` parameter is left out: no call can request it.
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
  if (anyOf !== undefined) return unionOf((anyOf as JsonSchema[]).map(outline));
  if (type === 'array') return { type, ...entries(items as JsonSchema) };
  return type === undefined ? {} : { type };
}

/** Names of an object's fields; nothing for other types. */
function entries({ properties }: JsonSchema): { items?: JsonSchema } {
  if (properties === undefined) return {};
  const names = Object.keys(properties as object)
    .filter((name) => !IN_WORDS.includes(name))
    .map((name) => [name, {}]);
  return { items: { properties: Object.fromEntries(names) } };
}

/** Merges several types: exact if all but null are the same, else only the names of the types. */
function unionOf(choices: readonly JsonSchema[]): JsonSchema {
  const types = [...new Set(choices.flatMap(({ type }) => (type ?? []) as string | string[]))];
  if (choices.some(({ type }) => type === undefined)) return {};
  const [only, ...others] = choices.filter(({ type }) => type !== 'null');
  return { ...(others.length === 0 && only), type: types.length === 1 ? types[0] : types };
}

/**
 * Merges several documents to the one object that the protocol wants. A field that not every document has is optional. A field
 * that documents declare in different ways, such as `results`, takes any of them.
 */
export function oneOf(documents: readonly ObjectShape[]): ObjectShape {
  const names = new Set(documents.flatMap(({ fields }) => Object.keys(fields)));
  return new ObjectShape(Object.fromEntries([...names].map((name) => [name, fieldOf(name, documents)])));
}

function fieldOf(name: string, documents: readonly ObjectShape[]): Any {
  const all = documents.flatMap(({ fields }) => fields[name] ?? []);
  const shapes = [...new Map(all.map((each) => [JSON.stringify(each.jsonSchema), each])).values()];
  const either = shapes.length === 1 ? shapes[0] : union(shapes);
  return all.length < documents.length || all.some(({ isOptional }) => isOptional)
    ? either.optional()
    : either.required();
}

interface ObjectSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required?: string[];
  [key: string]: unknown;
}

/** `summary` of a field is its description; lengths are checked, but not listed. */
export function inputSchema(fields: readonly Field[]): ObjectSchema {
  const required = fields.filter(({ param }) => param.required).map(({ name }) => name);
  const properties = Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)]));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function propertyOf({ param, one = false, listsDefault = false }: Field): JsonSchema {
  const { summary } = param;
  const described = summary === '' ? {} : { description: summary };
  if (param.type === 'list' && !one) return { type: 'array', ...described, items: { type: 'string' } };
  return {
    type: typeName(param),
    ...described,
    ...enumOf(param),
    ...(listsDefault && { default: param.default }),
    ...boundsOf(param),
  };
}

const TYPES = {
  integer: 'integer',
  number: 'number',
  flag: 'boolean',
  choice: 'string',
  text: 'string',
  list: 'string',
  pairs: 'object',
  records: 'array',
} as const;
const typeName = ({ type }: Param): string => TYPES[type];

const enumOf = ({ choices }: Param) => (choices === undefined ? {} : { enum: choices });

function boundsOf({ min, max }: Param): JsonSchema {
  const isBound = max !== undefined && max !== Number.MAX_SAFE_INTEGER;
  return { ...(min !== undefined && { minimum: min }), ...(isBound && { maximum: max }) };
}
