/** The map of a repository: folders, their most central files, what others use of those. */
import { visibleLine } from '../../base/hygiene.js';
import type { GraphMapResponse } from '../../engine/contract.js';
import { formatCount } from '../format.js';
import type { Pen } from '../pen.js';

type Folder = GraphMapResponse['folders'][number];
type File = Folder['central'][number];
type Definition = File['defines'][number];

export function renderMap({ folders, folderCount, scope }: GraphMapResponse, pen: Pen): string {
  if (folderCount === 0) return `no code is known${scope.length > 0 ? ' there' : ''}\n`;
  const blocks = folders.map((folder) => folderLines(folder, pen).join('\n'));
  const rest = folderCount - folders.length;
  if (rest > 0) blocks.push(pen.dim(`… and ${formatCount(rest, 'smaller folder')}`));
  return `${blocks.join('\n\n')}\n`;
}

/** `src/search/  18 files, uses src/base, src/shard` */
function folderLines({ path, files, uses, central }: Folder, pen: Pen): string[] {
  const used = uses.length === 0 ? '' : `, uses ${uses.map((other) => visibleLine(folderName(other))).join(', ')}`;
  const head = `${pen.path(visibleLine(folderName(path)))}  ${pen.dim(`${formatCount(files, 'file')}${used}`)}`;
  const rest = files - central.length;
  const lines = central.flatMap((file) => fileLines(file, path, pen));
  return [
    head,
    ...lines,
    ...(rest > 0 && central.length > 0 ? [pen.dim(`  … ${formatCount(rest, 'more file')}`)] : []),
  ];
}

const folderName = (path: string): string => (path === '' ? './' : `${path}/`);

function fileLines({ path, lines, defined, defines }: File, folder: string, pen: Pen): string[] {
  const name = folder === '' ? path : path.slice(folder.length + 1);
  const rest = defined - defines.length;
  const more = rest > 0 && defines.length > 0 ? `, ${rest} more` : '';
  const head = `  ${pen.path(visibleLine(name))}  ${pen.dim(`${formatCount(lines, 'line')}${more}`)}`;
  return [head, ...defines.flatMap((definition) => definitionLines(definition, pen))];
}

function definitionLines({ line, text, members = [] }: Definition, pen: Pen): string[] {
  return [
    `    ${pen.line(String(line))} ${visibleLine(text)}`,
    ...members.map((member) => `      ${visibleLine(member)}`),
  ];
}
