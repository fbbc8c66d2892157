/** Output schemas of tools that answer with one of several documents: the protocol wants one object. */
import { z } from 'zod';

/** An object with the fields of all documents; those that not every document has are optional. A field of two documents has the same type in both. */
export function oneOf<T extends readonly z.ZodObject[]>(...documents: T): z.ZodType<z.infer<T[number]>> {
  const shape: Record<string, z.ZodType> = {};
  for (const document of documents) {
    for (const [name, field] of Object.entries(document.shape as Record<string, z.ZodType>)) {
      const isEverywhere = documents.every((other) => name in other.shape);
      shape[name] ??= isEverywhere ? field : field.optional();
    }
  }
  return z.strictObject(shape) as unknown as z.ZodType<z.infer<T[number]>>;
}
