/** A pack while it is filled: pieces of files that never overlap, and what they cost. */
import { estimateTokens } from '../../../base/tokens.js';
import type { Candidate, Declaration } from '../gather/candidate.js';
import { contains, join, meets, type Range } from '../gather/lines.js';
import type { Lines } from '../gather/texts.js';
import type { PackResponse } from '../output.js';

export type Item = PackResponse['items'][number];

/** Lines of a file in the pack, and why. */
interface Piece extends Range {
  kind: 'code' | 'test';
  path: string;
  parts: Pick<Candidate, 'symbol' | 'why' | 'value'>[];
  value: number;
  content: string;
  tokens: number;
}

/** Symbols and reasons that are shown for a piece. */
const MAX_SYMBOLS = 4;
const MAX_REASONS = 3;

/** Texts of ranges and what they cost: a pack is filled more than once until it fits. */
export class Pages {
  private readonly known = new Map<string, { text: string; tokens: number } | null>();

  constructor(private readonly lines: Lines) {}

  /** Null where some of these lines are not known. */
  read(path: string, range: Range): { text: string; tokens: number } | null {
    const key = `${range.startLine}-${range.endLine} ${path}`;
    let found = this.known.get(key);
    if (found === undefined) {
      const text = textOf(this.lines(path), range);
      found = text === null ? null : { text, tokens: estimateTokens(JSON.stringify(text)) };
      this.known.set(key, found);
    }
    return found;
  }
}

function textOf(lines: readonly string[] | null, { startLine, endLine }: Range): string | null {
  if (lines === null || startLine > lines.length) return null;
  const text = lines.slice(startLine - 1, endLine);
  // Of a file that is known in parts.
  for (let i = 0; i < text.length; i++) if (text[i] === undefined) return null;
  return text.join('\n').replaceAll('\r\n', '\n').replace(/\s+$/, '');
}

export class Packing {
  readonly pieces = new Map<string, Piece[]>();
  readonly declared = new Map<string, Declaration[]>();
  /** The text of every piece that was added, and its place. */
  private readonly texts = new Map<string, string>();
  /** Files by the names of definitions in them. */
  private readonly named = new Map<string, Set<string>>();

  constructor(
    private readonly pages: Pages,
    /** Lines between two pieces that are taken with them. */
    private readonly gap: number,
  ) {}

  /** Cost of adding these lines to those already packed; null for lines that are not known. */
  price(candidate: Candidate, range: Range = candidate): { tokens: number; piece: Piece; met: Piece[] } | null {
    const { joined, met } = join(this.pieces.get(candidate.path) ?? [], range, this.gap);
    const page = this.pages.read(candidate.path, joined);
    if (page === null) return null;
    const parts = [...met.flatMap((piece) => piece.parts), candidate];
    const value = Math.max(candidate.value, ...met.map((piece) => piece.value));
    const kind = met.some((piece) => piece.kind === 'code') ? 'code' : candidate.kind;
    const piece: Piece = { kind, path: candidate.path, ...joined, parts, value, content: '', tokens: 0 };
    piece.tokens = costOf(pieceItem(piece)) + page.tokens;
    piece.content = page.text;
    return { tokens: piece.tokens - met.reduce((sum, { tokens }) => sum + tokens, 0), piece, met };
  }

  add({ piece, met }: { piece: Piece; met: readonly Piece[] }): void {
    const kept = (this.pieces.get(piece.path) ?? []).filter((other) => !met.includes(other));
    this.pieces.set(
      piece.path,
      [...kept, piece].sort((a, b) => a.startLine - b.startLine),
    );
  }

  /** How many of what is here have its name, in other files. */
  countNamed({ symbol, path }: Candidate): number {
    const name = symbol?.split('.').at(-1);
    const files = name === undefined ? undefined : this.named.get(name);
    return files === undefined ? 0 : files.size - (files.has(path) ? 1 : 0);
  }

  /** Remembers what a candidate said, so that a copy of it is not shown again. */
  tell(candidate: Candidate): void {
    const name = candidate.symbol?.split('.').at(-1);
    if (name !== undefined) this.named.set(name, (this.named.get(name) ?? new Set()).add(candidate.path));
    const page = this.pages.read(candidate.path, candidate);
    if (page !== null) this.texts.set(page.text, `${candidate.path}:${candidate.startLine}`);
  }

  /** Place of equal lines that are packed already, in this or another file. */
  copyOf(candidate: Candidate): string | null {
    const page = this.pages.read(candidate.path, candidate);
    return page === null ? null : (this.texts.get(page.text) ?? null);
  }

  holds({ path, startLine, endLine }: Range & { path: string }): boolean {
    return contains(this.pieces.get(path) ?? [], { startLine, endLine });
  }

  /** Is the line here where it begins: its declaration? */
  declares({ path, startLine }: Range & { path: string }): boolean {
    return meets(this.pieces.get(path) ?? [], { startLine, endLine: startLine });
  }

  remove(piece: Piece): void {
    this.pieces.set(
      piece.path,
      (this.pieces.get(piece.path) ?? []).filter((other) => other !== piece),
    );
  }

  all(): Piece[] {
    return [...this.pieces.values()].flat();
  }
}

/** Tokens of an item in a list of the document. */
function costOf(item: Item): number {
  return estimateTokens(JSON.stringify(item)) + 1;
}

export function pieceItem(piece: Piece): Item {
  const { path, startLine, endLine, kind, parts, tokens, content } = piece;
  const best = [...parts].sort((a, b) => b.value - a.value);
  const why = [...new Set(best.map((part) => part.why))].slice(0, MAX_REASONS).join('; ');
  return { path, startLine, endLine, kind, symbol: symbolOf(parts), why, tokens, content };
}

/** `Cart` says that `Cart.total` is there, too. */
function symbolOf(parts: Piece['parts']): string | null {
  const all = new Set(parts.flatMap(({ symbol }) => (symbol === null ? [] : [symbol])));
  const own = [...all].filter((name) => ![...all].some((other) => name.startsWith(`${other}.`)));
  if (own.length === 0) return null;
  return own.length > MAX_SYMBOLS ? `${own.slice(0, MAX_SYMBOLS).join(', ')}, …` : own.join(', ');
}

/** Declarations of a file as one item: a heading for each would cost more than they do. */
export function declaredItem(path: string, declared: readonly Declaration[]): Item {
  const sorted = [...declared].sort((a, b) => a.startLine - b.startLine || a.endLine - b.endLine);
  const content = sorted.map(declarationLine).join('\n');
  const item: Item = {
    path,
    startLine: sorted[0].startLine,
    endLine: Math.max(...sorted.map(({ endLine }) => endLine)),
    kind: 'signature',
    symbol: sorted.length === 1 ? sorted[0].symbol : null,
    why: 'nearby',
    tokens: 0,
    content,
  };
  item.tokens = costOf(item);
  return item;
}

function declarationLine({ startLine, endLine, text, why }: Declaration): string {
  return `${endLine > startLine ? `${startLine}-${endLine}` : startLine} ${text} (${why})`;
}
