/**
 * Questions that lead back to themselves: a chain asks for a member, whose type is a chain. Whoever would have to import
 * in a circle asks through the context instead.
 */
import { accessPathValue, findPath, resultOf, settled } from './access-path.js';
import { enclosingType } from './enclosing.js';
import { lookup } from './lookup.js';

export const QUESTIONS = { accessPathValue, findPath, resultOf, settled, enclosingType, lookup };
