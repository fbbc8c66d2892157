/** Symbols of file versions, each version read once for all branches that have it. */
import { qualifiedName } from '../../../extract/symbols.js';
import type { ObjectReader } from '../../../git/objects.js';
import { signatureText } from '../../../graph/query/signatures.js';
import type { FileVersion } from '../../../history/source.js';
import type { FileDiff, SymbolChange } from '../../../history/symbol-diff.js';
import type { SymbolDigest } from '../../../history/symbol-digest.js';
import type { BlobFactsSource } from '../../../session/blob-facts.js';
import { type ComparedVersions, compareSymbols } from '../../../session/history/compare-symbols.js';
import type { ChangeWord } from '../output.js';
import type { ChangedFile } from './changes.js';

export interface ChangedSymbol {
  word: ChangeWord;
  /** New version; of a removed symbol the old one. */
  digest: SymbolDigest;
  /** Symbols inside came or went with it. */
  isWhole: boolean;
}

/** Changed symbols of one side of a file. */
export interface FileSymbols {
  /** By qualified name; of overloads the one that changed most. */
  changed: Map<string, ChangedSymbol>;
  /** Text outside of all symbols changed. */
  outside: boolean;
}

/** Most versions that are read: those of branches with many files are left out then. */
const MAX_VERSIONS = 6_000;

interface Sources {
  committed: BlobFactsSource;
  /** Reads blobs of the scratch as well. */
  uncommitted: BlobFactsSource;
  objects: ObjectReader;
}

export class Versions {
  private readonly wanted = new Map<string, FileVersion>();
  /** A file is asked for by each use that leads from it or to it. */
  private readonly asked = new WeakMap<ChangedFile, boolean>();
  /** Each pair of versions is compared once, however many branches have it. */
  private readonly pairs = new Map<string, ComparedVersions & { symbols?: FileSymbols | null }>();

  /** `isCommitted` says whether a blob is in the repository. */
  constructor(
    private readonly sources: Sources,
    private readonly isCommitted: (oid: string) => Promise<boolean>,
  ) {}

  /** Writes records of what was parsed, and ends git. */
  async close(): Promise<void> {
    const { committed, uncommitted, objects } = this.sources;
    await committed.close();
    await uncommitted.close();
    objects.close();
  }

  /** Asks for both versions of a file; false where there are too many already. */
  want(file: ChangedFile): boolean {
    let isWanted = this.asked.get(file);
    if (isWanted === undefined) {
      isWanted = this.add(file);
      this.asked.set(file, isWanted);
    }
    return isWanted;
  }

  private add(file: ChangedFile): boolean {
    const { before, after } = file;
    const versions = [before, after].filter((version) => version !== null);
    const added = versions.filter((version) => !this.wanted.has(keyOf(version)));
    if (this.wanted.size + added.length > MAX_VERSIONS) return false;
    for (const version of added) this.wanted.set(keyOf(version), version);
    if (!this.pairs.has(pairOf(file))) this.pairs.set(pairOf(file), { before, after, diff: null });
    return true;
  }

  /** Reads all that was asked for, the versions of one path in succession. */
  async read(): Promise<void> {
    const { committed, uncommitted } = this.sources;
    const pairs = [...this.pairs.values()].sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
    const here = new Set<FileVersion>();
    const look = async (version: FileVersion | null) => {
      if (version !== null && (await this.isCommitted(version.oid))) here.add(version);
    };
    await Promise.all(pairs.flatMap(({ before, after }) => [look(before), look(after)]));
    await compareSymbols(pairs, {
      degraded: { has: (oid) => committed.degraded.has(oid) || uncommitted.degraded.has(oid) },
      async prefetch(versions, progress, each) {
        const all = [...versions];
        const [inHere, elsewhere] = [true, false].map((is) => all.filter((version) => here.has(version) === is));
        await committed.prefetch(inHere, progress, each);
        await uncommitted.prefetch(elsewhere, progress, each);
      },
      comments: (version) => (here.has(version) ? committed : uncommitted).comments(version),
    });
  }

  /** Null where symbols of a version are not known. */
  symbolsOf(file: ChangedFile): FileSymbols | null {
    const pair = this.pairs.get(pairOf(file));
    if (pair === undefined) return null;
    if (pair.symbols === undefined) pair.symbols = pair.diff && changedIn(pair.diff);
    return pair.symbols;
  }

  /** How a symbol is declared in a version; null where it has none, or it cannot be read. */
  async signature(version: FileVersion | null, symbol: string): Promise<string | null> {
    if (version === null) return null;
    const source = (await this.isCommitted(version.oid)) ? this.sources.committed : this.sources.uncommitted;
    const [facts, bytes] = [await source.facts(version), await source.bytes(version.oid)];
    if (facts === null || bytes === null) return null;
    const found = facts.symbols.find((_, i) => qualifiedName(facts.symbols, i) === symbol);
    return found === undefined ? null : signatureText(bytes, found);
  }
}

function changedIn({ changes, outside }: FileDiff): FileSymbols {
  const changed = new Map<string, ChangedSymbol>();
  for (const change of changes) {
    const word = wordOf(change);
    const { symbol } = change.symbol;
    const known = changed.get(symbol);
    if (word === null || (known !== undefined && RANK.indexOf(known.word) <= RANK.indexOf(word))) continue;
    changed.set(symbol, { word, digest: change.symbol, isWhole: change.type !== 'changed' });
  }
  return { changed, outside };
}

const pathOf = ({ before, after }: ChangedFile): string => (before ?? after)?.path ?? '';
const keyOf = ({ oid, path }: FileVersion): string => `${oid} ${path}`;
const pairOf = ({ before, after }: ChangedFile): string =>
  [before, after].map((version) => (version === null ? '' : keyOf(version))).join('\0');

/** Changes that others notice most come first. */
export const RANK: readonly ChangeWord[] = ['removed', 'signature', 'added', 'body', 'doc'];

/** Null for white space alone. */
function wordOf({ type, parts = [] }: SymbolChange): ChangeWord | null {
  if (type === 'added' || type === 'removed') return type;
  return (['signature', 'body', 'doc'] as const).find((part) => parts.includes(part)) ?? null;
}

/** The change of a symbol, or that of the symbol around it with which it came or went. */
export function changeOf({ changed }: FileSymbols, symbol: string): ChangedSymbol | undefined {
  const own = changed.get(symbol);
  if (own !== undefined) return own;
  for (let at = symbol.lastIndexOf('.'); at > 0; at = symbol.lastIndexOf('.', at - 1)) {
    const around = changed.get(symbol.slice(0, at));
    if (around?.isWhole) return around;
  }
  return undefined;
}
