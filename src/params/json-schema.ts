/** JSON Schema of declared parameters, as tools list their input: models pay for each word of it. */

import type { Param } from './param.js';
import type { Field } from './read.js';

export interface ObjectSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required?: string[];
  [key: string]: unknown;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

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
