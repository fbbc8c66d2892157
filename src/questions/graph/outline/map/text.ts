/** Text of a map: folders, their most central files, the definitions that others use. */
import { posix } from 'node:path';
import { visibleLine } from '../../../../base/hygiene.js';
import { formatCount } from '../../../writing/format.js';
import type { Pen } from '../../../writing/pen.js';
import type { GraphMapResponse } from './output.js';

type Folder = GraphMapResponse['folders'][number];
type File = Folder['central'][number];
type Definition = File['defines'][number];

export function mapText({ folders, folderCount, scope, aside }: GraphMapResponse, pen: Pen): string {
  if (folderCount === 0) return `no code is known${scope.length > 0 ? ' there' : ''}\n`;
  const blocks = folders.map((folder) => folderLines(folder, pen).join('\n'));
  const rest = folderCount - folders.length;
  if (rest > 0) blocks.push(pen.dim(`… and ${formatCount(rest, 'smaller folder')}`));
  const others = aside.map(({ path, files }) => `${visibleLine(folderName(path))} ${formatCount(files, 'file')}`);
  if (others.length > 0) blocks.push(pen.dim(`tests, examples and copies: ${others.join(', ')}`));
  return `${blocks.join('\n\n')}\n`;
}

/** `src/search/  18 files, uses src/base, src/shard` */
function folderLines({ path, files, uses, central }: Folder, pen: Pen): string[] {
  const names = uses.map((other) => visibleLine(folderName(nearest(path, other))));
  const used = names.length === 0 ? '' : `, uses ${names.join(', ')}`;
  const head = `${pen.path(visibleLine(folderName(path)))}  ${pen.dim(`${formatCount(files, 'file')}${used}`)}`;
  const rest = files - central.length;
  const lines = central.flatMap((file) => fileLines(file, path, pen));
  return [
    head,
    ...lines,
    ...(rest > 0 && central.length > 0 ? [pen.dim(`  … ${formatCount(rest, 'more file')}`)] : []),
  ];
}

/** `../cfg` of a neighbour, `./cfg` inside: some languages begin every folder with the same forty characters. */
function nearest(folder: string, other: string): string {
  const way = posix.relative(`/${folder}`, `/${other}`);
  const near = way.startsWith('..') ? way : `./${way}`;
  return !near.startsWith('../..') && near.length + MIN_SHORTER <= other.length ? near : other;
}

/** Characters saved that are worth reading a path that begins elsewhere. */
const MIN_SHORTER = 12;

const folderName = (path: string): string => (path === '' || path === '.' ? './' : `${path}/`);

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
