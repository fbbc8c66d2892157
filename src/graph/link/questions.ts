/**
 * Functions that are mutually recursive across files: an access path needs a member, whose type is an access path. They
 * are called through the context (`ctx.ask`), which avoids circular imports.
 */
import { accessPathValue, findPath, resultOf, settled } from './access-path.js';
import { enclosingType } from './enclosing.js';
import { lookup } from './lookup.js';

export const QUESTIONS = { accessPathValue, findPath, resultOf, settled, enclosingType, lookup };
