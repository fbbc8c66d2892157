/** Repositories that belong together, one a line. */
import { visibleLine } from '../../base/hygiene.js';
import { formatCount } from '../writing/format.js';
import type { ProjectEntry, ProjectsReport } from './output.js';

const COMMIT = 9;

export function projectsText({ projects, leftOut }: ProjectsReport): string {
  const lines = projects.map(line);
  if (leftOut > 0) lines.push(`and ${formatCount(leftOut, 'more work tree')}`);
  return `${lines.join('\n')}\n`;
}

/** `lib  /home/me/lib  linked, main @ 1a2b3c4d5, indexed 120/120` */
function line({ name, path, relation, state, branch, commit, coverage, reason }: ProjectEntry): string {
  const at = commit === null ? '' : `, ${branch ?? 'detached'} @ ${commit.slice(0, COMMIT)}`;
  const files = coverage === null ? '' : ` ${coverage.covered}/${coverage.total} files`;
  const why = reason === null ? '' : `: ${reason}`;
  return visibleLine(`${name}  ${path}  ${relation}${at}, ${state}${files}${why}`);
}
