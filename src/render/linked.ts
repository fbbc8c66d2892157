/** What became of linked repositories: those that were searched in one line, each of the others in its own. */
import { visibleLine } from '../base/hygiene.js';
import type { LinkedAnswer } from '../engine/contract.js';

/** Characters of a commit that tell it apart. */
const COMMIT = 9;

export function linkedLines(linked: readonly LinkedAnswer[]): string[] {
  if (linked.length === 0) return ['no linked repositories: linkedProjects in .socraticode.json names them'];
  const isSearched = ({ commit, coverage }: LinkedAnswer) => commit !== null || coverage !== null;
  const searched = linked.filter(isSearched).map(describe);
  const others = linked.filter((each) => !isSearched(each) && each.state !== 'same');
  return [
    ...(searched.length > 0 ? [`also searched: ${searched.join(', ')}`] : []),
    ...others.map(
      ({ path, state, reason }) => `${visibleLine(path)}: ${WORDS[state] ?? state}: ${visibleLine(reason ?? '')}`,
    ),
  ];
}

const WORDS: Readonly<Record<string, string>> = {
  'not-allowed': 'not allowed',
  'not-a-repository': 'not a repository',
  'left-out': 'left out',
};

function describe({ project, path, commit, coverage, state }: LinkedAnswer): string {
  const at = commit === null ? '' : ` @ ${commit.slice(0, COMMIT)}`;
  const partial = coverage !== null && coverage.covered < coverage.total;
  const covered = partial
    ? ` (${coverage.covered} of ${coverage.total} files${state === 'indexing' ? ', indexing' : ''})`
    : '';
  return `${visibleLine(project)}${path === project ? '' : ` (${visibleLine(path)})`}${at}${covered}`;
}
