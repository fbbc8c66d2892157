/** Filter of notes by file, directory or symbol, then or now. */
import { isSocraticodeError } from '../../base/errors.js';
import { spellings } from '../../graph/query/paths.js';
import { prefixOf } from '../../session/prefix.js';
import type { Asker } from '../asker.js';
import type { NoteItem } from './output.js';

/** True if a note is about one of the targets; without any, about everything. Throws BAD_ARGUMENT for a path outside. */
export function isAbout(
  { session, directory }: Asker,
  item: NoteItem,
  targets: readonly string[] | undefined,
): boolean {
  if (targets === undefined || targets.length === 0) return true;
  const paths = [item.written.path, ...(item.place === null ? [] : [item.place.path])];
  return targets.some((target) => {
    if (item.symbol !== null && isName(item.symbol, target)) return true;
    const spelt = spellingsOf(target, prefixOf(session, directory));
    return spelt.some((path) => paths.some((own) => path === '' || own === path || own.startsWith(`${path}/`)));
  });
}

function isName(symbol: string, target: string): boolean {
  const name = target.slice(target.lastIndexOf('#') + 1);
  return symbol === name || symbol.endsWith(`.${name}`);
}

function spellingsOf(target: string, prefix: Parameters<typeof spellings>[1]): string[] {
  try {
    return spellings(target.replace(/#.*$/s, ''), prefix).map((path) => path.replace(/\/$/, '').replace(/^\.$/, ''));
  } catch (error) {
    if (isSocraticodeError(error, 'BAD_ARGUMENT') && !target.includes('/')) return [];
    throw error;
  }
}
