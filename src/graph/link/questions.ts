/**
 * Linking asks in circles: an access path needs a member, whose type can be an access path. The modules of this folder lie on each other in
 * one order all the same, which a test keeps. Each imports functions from those before it alone:
 *
 * 1. values, symbol-index, type-text: how values, symbols and the texts of types are written
 * 2. types, scopes, type-parts: which value a written type has, and a name that a scope binds
 * 3. members, modules, names: what a type has, what a file exports, and what a name alone means
 * 4. lookup, calls, access-path: a member of a value, the value of a call, and the value of a whole path
 * 5. compiler-targets, overloads, evidence, references: the definitions that a use means
 * 6. invalidation, symbol-table, link-memory, questions, link-snapshot: all files, and those alone that a change reaches
 *
 * A question to a later module goes through the context, `ctx.ask`. The step budget of the context ends what asks itself
 * (`Context.enter`).
 */
import { accessPathValue, findPath, settled } from './access-path.js';
import { called, elementOf, parameterOf, resultOf } from './calls.js';
import { lookup } from './lookup.js';
import { enclosingType } from './scopes.js';
import { boundValue, expandedAlias } from './types.js';

/** Functions of later modules, in the order of these. */
export const QUESTIONS = {
  ...{ boundValue, expandedAlias, enclosingType },
  ...{ lookup, called, elementOf, parameterOf, resultOf },
  ...{ accessPathValue, findPath, settled },
};
