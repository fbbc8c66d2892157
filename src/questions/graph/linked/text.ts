/** Text of uses by linked repositories: by repository, then by file. */
import { visibleLine } from '../../../base/hygiene.js';
import { linkedLines } from '../../results/text.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { at, count, doubt, more, section } from '../text-parts.js';
import type { LinkedUse, LinkedUses } from './output.js';

export function linkedUsesLines({ repositories, packages, uses }: LinkedUses, pen: Pen): string[] {
  if (pen.skipped !== undefined && uses.list.length === 0) return [];
  const files = repositories.reduce((sum, repository) => sum + repository.files, 0);
  const all = count(uses, pen);
  const title =
    all === 0
      ? `linked repositories: ${nothingText(packages)}`
      : `linked repositories: ${formatCount(all, 'use')} in ${formatCount(files, 'file')}`;
  const projects = [...new Set(uses.list.map(({ project }) => project))];
  const lines = projects.flatMap((project) => {
    const own = uses.list.filter((use) => use.project === project);
    return own.map((use) => useLine(use, pen));
  });
  return [
    ...section(title, [...lines, ...more(uses.leftOut, pen)]),
    ...(lines.length === 0 ? ['', title] : []),
    ...states(repositories, pen),
  ];
}

function nothingText(packages: readonly string[]): string {
  if (packages.length === 0) return 'no known uses (no package here exports it)';
  const names = packages.slice(0, 3).map(visibleLine).join(', ');
  return `no known uses (exported by ${names}${packages.length > 3 ? ', …' : ''})`;
}

function states(repositories: LinkedUses['repositories'], pen: Pen): string[] {
  const lines = linkedLines(repositories, 'asked');
  return lines.map((line) => pen.dim(line));
}

function useLine(use: LinkedUse, pen: Pen): string {
  const { project, path, line, symbol, kind, name, uses, hop, version, evidence } = use;
  const who = symbol === null ? pen.dim('top level') : pen.symbol(visibleLine(symbol));
  const verb = kind === 'route' ? 'requests' : uses === 0 ? 'imports' : 'uses';
  const notes = [
    ...(hop > 1 ? [`hop ${hop}`] : []),
    ...(version === null || version === '' ? [] : [visibleLine(version)]),
    ...(evidence === 'module' ? ['which names it uses is not known'] : []),
  ];
  const rest = notes.length === 0 ? '' : pen.dim(`  ${notes.join(', ')}`);
  const place = `${pen.path(visibleLine(project))}:${at(path, line, pen)}`;
  return `  ${place}  ${who}  ${pen.dim(verb)} ${visibleLine(name)}${doubt(use, pen)}${rest}`;
}
