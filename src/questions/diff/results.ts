/** Compared files as the `diff` document shows them: counts of everything, and as much of the list as was asked for. */
import type { SymbolChange } from '../../history/symbol-diff.js';
import type { ComparedFile } from '../../session/history/compare-symbols.js';
import type { Sides } from './answer.js';
import type { DiffResponse } from './output.js';

type FileChange = DiffResponse['files'][number];
type Change = FileChange['symbols'][number];

interface Compared {
  sides: Sides;
  files: readonly ComparedFile[];
  /** Symbols to list, and files without any. */
  limit: number;
  /** Files before those that the limit counts. */
  skip: number;
  skipped: number;
  unreadable: number;
}

export function describeDiff({ sides, files, limit, skip, skipped, unreadable }: Compared): DiffResponse {
  const { from, to, symmetric } = sides;
  const { ref, commit, tree } = to.origin.resolved;
  const counts: DiffResponse['counts'] = {
    files: { added: 0, removed: 0, changed: 0, renamed: 0 },
    symbols: { added: 0, removed: 0, changed: 0, moved: 0 },
  };
  const listed: FileChange[] = [];
  const leftOut = { files: 0, symbols: 0, skipped, unreadable };
  let room = limit;
  for (const [i, file] of files.entries()) {
    const described = describeFile(file);
    counts.files[described.status]++;
    for (const { change } of described.symbols) counts.symbols[change]++;
    if (room <= 0) {
      leftOut.files++;
      leftOut.symbols += described.symbols.length;
      continue;
    }
    const shown = i < skip ? described.symbols : described.symbols.slice(0, room);
    leftOut.symbols += described.symbols.length - shown.length;
    if (i >= skip) room -= Math.max(1, shown.length);
    listed.push({ ...described, symbols: shown });
  }
  return { schemaVersion: 1, from, to: { ref, commit, tree }, symmetric, counts, files: listed, leftOut };
}

function describeFile({ change, before, after, diff }: ComparedFile): FileChange {
  const status =
    before === null ? 'added' : after === null ? 'removed' : before.path === after.path ? 'changed' : 'renamed';
  const symbols = (diff?.changes ?? []).map(describeSymbol);
  symbols.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return {
    path: (after ?? before)?.path ?? change.path,
    ...(status === 'renamed' && before !== null ? { oldPath: before.path } : {}),
    status,
    symbols,
    unchanged: diff?.unchanged ?? 0,
    outside: diff?.outside ?? false,
    compared: diff !== null,
  };
}

function describeSymbol({ type, symbol, members, parts, from }: SymbolChange): Change {
  return {
    change: type,
    ...{ symbol: symbol.symbol, kind: symbol.kind, exported: symbol.exported },
    ...{ startLine: symbol.startLine, endLine: symbol.endLine },
    ...(parts === undefined || parts.length === 0 ? {} : { parts }),
    ...(members > 0 ? { members } : {}),
    ...(from === undefined
      ? {}
      : {
          from: {
            path: from.path,
            symbol: from.symbol.symbol,
            startLine: from.symbol.startLine,
            endLine: from.symbol.endLine,
          },
        }),
  };
}
