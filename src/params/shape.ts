/**
 * Shapes of answers: each is written once, and the type of the document and its JSON Schema are made from it. Import it as `s`.
 * Declarations are read at every start, so a shape makes its schema on first use; no document is checked with it.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A value in documents. `May`: true if the field that holds it may be missing. */
export class Shape<T, May extends boolean = false> {
  /** Exists for the compiler alone. */
  declare readonly value: T;
  private made?: JsonSchema;

  constructor(
    readonly isOptional: May,
    private readonly make: () => JsonSchema,
    private readonly description?: string,
  ) {}

  /** As `schemas/` publishes it; the order of keys counts. */
  get jsonSchema(): JsonSchema {
    this.made ??= this.described(this.make());
    return this.made;
  }

  /** Adds a sentence for readers, with what name and type do not say. */
  describe(description: string): this {
    return new Shape(this.isOptional, this.make, description) as this;
  }

  nullable(): Shape<T | null> {
    return union([this, NULL]);
  }

  /** Makes a field optional: it may be missing. */
  optional(): Shape<T, true> {
    return new Shape<T, true>(true, () => this.jsonSchema);
  }

  /** Makes an optional field required. */
  required(): Shape<T> {
    return new Shape<T>(false, () => this.jsonSchema);
  }

  private described(schema: JsonSchema): JsonSchema {
    const { description } = this;
    if (description === undefined) return schema;
    const { description: _, ...rest } = schema;
    // Keeps the bytes of published files: these two have the description first.
    const isFirst = this.isOptional || Array.isArray(rest.type);
    return isFirst ? { description, ...rest } : { ...rest, description };
  }
}

export type Any = Shape<unknown, boolean>;
export type Fields = Readonly<Record<string, Any>>;

/** The type of values of this shape. */
export type Infer<S extends Any> = S['value'];

type Optional<F extends Fields> = { [K in keyof F]: F[K]['isOptional'] extends true ? K : never }[keyof F];
type Plain<T> = { [K in keyof T]: T[K] };

/** The type of an object with these fields. */
export type InferFields<F extends Fields> = Plain<
  { [K in Exclude<keyof F, Optional<F>>]: F[K]['value'] } & { [K in Optional<F>]?: F[K]['value'] }
>;

/** An object with these fields and no others. Objects derived from it have no description. */
export class ObjectShape<F extends Fields = Fields> extends Shape<InferFields<F>> {
  constructor(
    readonly fields: F,
    description?: string,
  ) {
    super(false, () => objectSchema(fields), description);
  }

  override describe(description: string): this {
    return new ObjectShape(this.fields, description) as this;
  }

  /** Adds fields after the others; a field of the same name is replaced in its place. */
  extend<G extends Fields>(fields: G): ObjectShape<Plain<Omit<F, keyof G> & G>> {
    return new ObjectShape({ ...this.fields, ...fields } as unknown as Plain<Omit<F, keyof G> & G>);
  }

  pick<K extends keyof F & string>(...names: K[]): ObjectShape<Pick<F, K>> {
    return this.only((name) => names.includes(name as K));
  }

  omit<K extends keyof F & string>(...names: K[]): ObjectShape<Plain<Omit<F, K>>> {
    return this.only((name) => !names.includes(name as K));
  }

  private only<G extends Fields>(isIncluded: (name: string) => boolean): ObjectShape<G> {
    return new ObjectShape(Object.fromEntries(Object.entries(this.fields).filter(([name]) => isIncluded(name))) as G);
  }
}

function objectSchema(fields: Fields): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name]));
  const properties = Object.fromEntries(entries.map(([name, { jsonSchema }]) => [name, jsonSchema]));
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

interface Bounds {
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
}

const of = <T>(make: () => JsonSchema) => new Shape<T>(false, make);
const NULL = of<null>(() => ({ type: 'null' }));

export const string = ({ pattern }: { pattern?: RegExp } = {}) =>
  of<string>(() => ({ type: 'string', ...(pattern && { pattern: pattern.source }) }));
export const number = (bounds: Bounds = {}) => of<number>(() => ({ type: 'number', ...bounds }));
/** An integer that JavaScript counts exactly. */
export const integer = (bounds: Bounds = {}) =>
  of<number>(() => ({
    type: 'integer',
    ...(bounds.exclusiveMinimum === undefined && { minimum: Number.MIN_SAFE_INTEGER }),
    ...bounds,
    maximum: bounds.maximum ?? Number.MAX_SAFE_INTEGER,
  }));
export const boolean = () => of<boolean>(() => ({ type: 'boolean' }));
export const unknown = () => of<unknown>(() => ({}));
export const literal = <const T extends string | number | boolean>(value: T) =>
  of<T>(() => ({ type: typeof value, const: value }));
const choice = <const T extends string>(values: readonly T[]) => of<T>(() => ({ type: 'string', enum: values }));
const nothing = () => NULL;

export const array = <S extends Any>(entry: S) => of<Infer<S>[]>(() => ({ type: 'array', items: entry.jsonSchema }));
export const object = <F extends Fields>(fields: F) => new ObjectShape(fields);
/** Values by names that are not known in advance. */
export const record = <S extends Any>(entry: S) =>
  of<Record<string, Infer<S>>>(() => ({
    type: 'object',
    propertyNames: { type: 'string' },
    additionalProperties: entry.jsonSchema,
  }));

/** One of several shapes; where only their types differ, the schema is a list of types. */
export function union<const S extends readonly Any[]>(shapes: S): Shape<Infer<S[number]>> {
  return of(() => {
    const schemas = shapes.map(({ jsonSchema }) => jsonSchema);
    const isBare = schemas.every((schema) => schema.type !== undefined && Object.keys(schema).length === 1);
    return isBare ? { type: [...new Set(schemas.flatMap(({ type }) => type))] } : { anyOf: schemas };
  });
}

export { choice as enum, nothing as null };
