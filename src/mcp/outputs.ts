/** Output schemas of tools that answer with one of several documents: the protocol wants one object. */
import { z } from 'zod';

/**
 * An object with the fields of all documents; those that not every document has are optional. A field that documents declare in
 * different ways, such as `results`, takes any of them.
 */
export function oneOf<T extends readonly z.ZodObject[]>(...documents: T): z.ZodType<z.infer<T[number]>> {
  const shape: Record<string, z.ZodType> = {};
  const shapes = documents.map((document) => document.shape as Record<string, z.ZodType>);
  for (const name of new Set(shapes.flatMap((each) => Object.keys(each)))) {
    const fields = shapes.flatMap((each) => each[name] ?? []);
    const [first, ...others] = new Map(fields.map((field) => [JSON.stringify(z.toJSONSchema(field)), field])).values();
    const field = others.length === 0 ? first : z.union([first, ...others]);
    shape[name] = fields.length === documents.length ? field : field.optional();
  }
  return z.strictObject(shape) as unknown as z.ZodType<z.infer<T[number]>>;
}
