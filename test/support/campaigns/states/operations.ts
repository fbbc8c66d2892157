/**
 * What people and programs do to a repository: none of these tells this program anything of use. Git may refuse one in some
 * state; that is a state, too. Each begins where the one before left the repository, if it needs nothing else.
 */
import { CONFIGURING } from './configuring.js';
import { ON_FILES } from './on-files.js';
import { ON_HISTORY } from './on-history.js';
import { ON_REFS } from './on-refs.js';
import type { World } from './world.js';

export interface Operation {
  name: string;
  run: (world: World) => void;
  /** Needs files that are checked out. */
  tree?: true;
}

const inTree = (operations: readonly Operation[]) => operations.map((one): Operation => ({ ...one, tree: true }));

export const OPERATIONS: readonly Operation[] = [
  ...inTree(ON_HISTORY),
  ...inTree(ON_FILES),
  ...ON_REFS,
  ...CONFIGURING,
];

/** Can it be tried there at all? */
export function applies(operation: Operation, world: World): boolean {
  return operation.tree === undefined || !world.isBare;
}
