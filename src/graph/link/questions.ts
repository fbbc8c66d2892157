/**
 * Questions that lead back to themselves: a chain asks for a member, whose type is a chain. Whoever would have to import
 * in a circle asks through the context instead.
 */
import { chainValue, findPath, resultOf, settled } from './chain.js';
import { enclosingType } from './enclosing.js';
import { lookup } from './lookup.js';

export const QUESTIONS = { chainValue, findPath, resultOf, settled, enclosingType, lookup };
