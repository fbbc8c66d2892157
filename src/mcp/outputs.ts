/** Shapes of tools that answer with one of several documents: the protocol wants one object. */
import { type Any, ObjectShape, union } from '../params/shape.js';

/**
 * An object with the fields of all documents; those that not every document has are optional. A field that documents declare in
 * different ways, such as `results`, takes any of them.
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
