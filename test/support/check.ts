/** Checks documents against their published schemas, with a validator that others wrote: it knows nothing of shapes. */
import assert from 'node:assert/strict';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import type { Any, Infer, JsonSchema } from '../../src/params/shape.js';

const ajv = new AjvJsonSchemaValidator();
const VALIDATORS = new WeakMap<JsonSchema, ReturnType<typeof ajv.getValidator>>();

/** Tells why a value is refused, as it is sent; undefined where it is not. */
export function faultOf(schema: JsonSchema, value: unknown): string | undefined {
  const validate = VALIDATORS.get(schema) ?? ajv.getValidator(schema);
  VALIDATORS.set(schema, validate);
  return validate(JSON.parse(JSON.stringify(value))).errorMessage;
}

/** The document, if it is what its shape says. */
export function check<S extends Any>(shape: S, document: unknown): Infer<S> {
  assert.equal(faultOf(shape.jsonSchema, document), undefined);
  return document as Infer<S>;
}
