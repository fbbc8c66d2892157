/** Text about linked repositories: one line for all that were searched, and one for each that was not. */
import { visibleLine } from '../../base/hygiene.js';
import type { LinkedAnswer } from './output.js';

/** Digits of a commit that are shown. */
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
