/**
 * Names the parts of a result's file that fit next best. The shown part of the right file is the meant one for about half of all
 * descriptions and changes, and one of these is for another fifth.
 */
import { type LiveSet, locate } from '../shard/live.js';
import { LOOSE } from './definitions.js';
import type { Candidate } from './scoring.js';
import { NEXT_PARTS } from './weights.js';

/** A definition of the same file, by the lines of its chunk. */
export interface NextPart {
  symbol: string;
  startLine: number;
  endLine: number;
}

type RankedPart = Pick<Candidate, 'document' | 'file' | 'own'>;

interface Shown {
  document: number;
  file: number;
  symbol: string | null;
}

interface ShownFile {
  parts: NextPart[];
  /** Parts that it may have. */
  most: number;
  documents: Set<number>;
  symbols: Set<string | null>;
  /** Best own score of a chunk of it. */
  best: number;
}

/** The next parts of each result's file, by document of the file's first result. `ranked`: the best first. */
export function nextParts(
  live: LiveSet,
  ranked: readonly RankedPart[],
  results: readonly Shown[],
): Map<number, NextPart[]> {
  const files = new Map<number, ShownFile>();
  const next = new Map<number, NextPart[]>();
  for (const { document, file, symbol } of results) {
    const most = files.size < NEXT_PARTS.files ? NEXT_PARTS.each : 0;
    const shown = files.get(file) ?? { parts: [], most, documents: new Set(), symbols: new Set(), best: 0 };
    if (!files.has(file)) next.set(document, shown.parts);
    files.set(file, shown);
    shown.documents.add(document);
    shown.symbols.add(symbol);
  }
  for (const { document, file, own } of ranked) {
    const shown = files.get(file);
    if (shown === undefined) continue;
    shown.best = Math.max(own, shown.best);
    if (shown.parts.length >= shown.most || own < NEXT_PARTS.share * shown.best) continue;
    const { shard, local } = locate(live, document);
    const symbol = shard.documentSymbol(local);
    if (symbol === null || LOOSE.has(shard.documentKind(local))) continue;
    if (shown.documents.has(document) || shown.symbols.has(symbol)) continue;
    shown.symbols.add(symbol);
    shown.parts.push({ symbol, startLine: shard.columns.startLine[local], endLine: shard.columns.endLine[local] });
  }
  return next;
}
