/**
 * Functions that are mutually recursive across files: an access path needs a member, whose type is an access path. They
 * are called through the context (`ctx.ask`), which avoids circular imports.
 */
import { accessPathValue, elementOf, findPath, settled } from './access-path.js';
import { expandedAlias } from './aliases.js';
import { called, resultOf } from './calls.js';
import { enclosingType } from './enclosing.js';
import { exportedBy } from './exports.js';
import { lookup } from './lookup.js';
import { parameterOf } from './parameters.js';
import { boundValue, typeValue } from './types.js';

export const QUESTIONS = {
  ...{ accessPathValue, findPath, resultOf, settled, called, elementOf, parameterOf },
  ...{ enclosingType, expandedAlias, exportedBy, lookup, boundValue, typeValue },
};
