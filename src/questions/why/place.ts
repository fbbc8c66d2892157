/** The lines that are asked about: of a file, as the work tree has it or at a ref, or of a symbol. */

import { realpathSync } from 'node:fs';
import { groupDigits } from '../../base/digits.js';
import { SocraticodeError } from '../../base/errors.js';
import { spellings } from '../../graph/query/paths.js';
import { pathOf, readWorkFile } from '../../overlay/work-file.js';
import { prefixOf } from '../../session/prefix.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { findSymbol, type SymbolPlace } from '../past/symbols.js';
import type { WhyValues } from './question.js';

export interface LinesPlace extends SymbolPlace {
  /** Text of the work tree's file, where it differs from the commit's. */
  contents?: Buffer;
}

/** Throws BAD_ARGUMENT where there are no such lines, and for a name that nothing, or more than one thing has. */
export async function findLines(at: Asker, values: WhyValues, commit: string): Promise<LinesPlace> {
  const { place, ref } = values;
  const lines = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(place);
  if (lines === null) return findSymbol(at, place, ref);
  const [, name, start, end = start] = lines;
  const { path, oid } = await findFile(at, name, commit);
  // By its own id: it is still there where git has removed the commit meanwhile.
  const committed = await at.session.objects.read(oid);
  const edited = ref === undefined ? await editedText(at.session, path) : null;
  const text = edited ?? committed?.content;
  if (text === undefined) throw new SocraticodeError('UNREADABLE_OBJECT', `what ${path} holds is missing: ${oid}`);
  const last = countLines(text);
  const [startLine, endLine] = [Number(start), Number(end)].sort((a, b) => a - b);
  if (startLine < 1 || startLine > last) {
    const hint = last === 0 ? 'It is empty.' : `It has ${groupDigits(last)} lines.`;
    throw new SocraticodeError('BAD_ARGUMENT', `${path} has no line ${startLine}`, { hint });
  }
  const contents = edited === null ? {} : { contents: edited };
  return { path, symbol: null, startLine, endLine: Math.min(endLine, last), ...contents };
}

async function findFile(
  { session, directory }: Asker,
  name: string,
  commit: string,
): Promise<{ path: string; oid: string }> {
  for (const path of spellings(name, prefixOf(session, directory))) {
    const found = await session.objects.info(`${commit}:${path}`);
    if (found?.type === 'blob') return { path, oid: found.oid };
  }
  throw new SocraticodeError('BAD_ARGUMENT', `${name} is no file of this commit`, {
    hint: 'Name it from the current directory or from the top of the repository; only committed files have a past.',
    file: name,
  });
}

const MAX_BYTES = 4 << 20;

/** The file of the work tree if git says that it differs from HEAD. Reads no link, and nothing outside of the work tree. */
export async function editedText({ repository, readChanges }: Session, path: string): Promise<Buffer | null> {
  const { workTree } = repository;
  if (workTree === null || readChanges === null) return null;
  const change = (await readChanges([path])).list.find((one) => one.path === path);
  if (change === undefined || !change.isFile) return null;
  const root = realpathSync.native(workTree, { encoding: 'buffer' });
  return readWorkFile(pathOf(root, change.name), MAX_BYTES)?.bytes ?? null;
}

const NEWLINE = 0x0a;

function countLines(text: Buffer): number {
  let lines = 0;
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) lines++;
  return lines + (text.length > 0 && text[text.length - 1] !== NEWLINE ? 1 : 0);
}
