/** Targets of names in one file as a compiler resolved them. They count more than anything that text shows. */
import { firstFrom, groupBy } from '../../base/lists.js';
import { commonDepth } from '../../languages/roles/project.js';
import type { ImportKind, Reference } from '../../languages/roles/relation-facts.js';
import type { CompilerOccurrence } from '../../record/format.js';
import { UNKNOWN_RECEIVER } from '../graph.js';
import type { FileIndex } from './symbol-index.js';
import type { Context, SymbolTable } from './symbol-table.js';
import type { SymbolRef } from './values.js';

/** Imports are edges between files; the names on their lines are no uses. */
const STATEMENTS: ReadonlySet<ImportKind> = new Set<ImportKind>([
  ...(['import', 'type', 'reexport', 'type-reexport', 'include', 'include-system', 'module'] as const),
]);

/** Null for a file that no compiler's index covers. */
export function compiledTargets(ctx: Context): CompiledTargets | null {
  const index = ctx.symbols.snapshot.index(ctx.file);
  return index.occurrences === null ? null : new CompiledTargets(ctx, index, index.occurrences);
}

/** Occurrences of a name on a line, one of which may be the reference. */
interface Open {
  here: readonly CompilerOccurrence[];
  /** True if each reference of that name on the line has an occurrence of its own. */
  isComplete: boolean;
}

/** Maximum number of occurrences of one name on one line that are compared. */
const MAX_OPEN = 200;

/** Kinds of references that `others` replaces if the compiler has the name. */
const MENTIONS: ReadonlySet<string> = new Set(['read', 'write']);

/**
 * Joins the references of a file to the names that a compiler saw in it. All references are judged before `others` is asked: a confirmed one
 * takes its occurrence, and `others` returns those that are left.
 */
export class CompiledTargets {
  /** Occurrence of each reference, if it is certain. */
  private readonly matched = new Map<Reference, CompilerOccurrence>();
  private readonly open = new Map<Reference, Open>();
  /** Occurrences without a reference so far. */
  private readonly rest: Set<CompilerOccurrence>;

  constructor(
    private readonly ctx: Context,
    private readonly index: FileIndex,
    occurrences: readonly CompilerOccurrence[],
  ) {
    this.rest = new Set(occurrences.filter(({ isDefinition }) => !isDefinition));
    const uses = byPlace(this.rest, ({ line }) => line);
    for (const [place, references] of byPlace(index.references, ({ startLine }) => startLine)) {
      const here = uses.get(place);
      if (here !== undefined) this.match(references, here);
    }
  }

  /** Matches uses of one name on one line: by order if their numbers agree, else members and other names separately. */
  private match(references: readonly Reference[], here: readonly CompilerOccurrence[]): void {
    // Each open reference is compared with all of these, which would be quadratic on a line that is a whole file.
    if (this.pair(references, here) || here.length > MAX_OPEN) return;
    const isComplete = here.length > references.length;
    for (const isMember of [true, false]) {
      const known = references.filter(
        ({ receiver }) => receiver !== UNKNOWN_RECEIVER && isWritten(receiver) === isMember,
      );
      const some = here.filter((occurrence) => occurrence.isMember === isMember);
      if (!this.pair(known, some)) for (const reference of known) this.open.set(reference, { here: some, isComplete });
    }
    for (const reference of references)
      if (reference.receiver === UNKNOWN_RECEIVER) this.open.set(reference, { here, isComplete });
  }

  /** Pairs in order if the numbers agree, or if all occurrences mean one thing; else returns false. */
  private pair(references: readonly Reference[], here: readonly CompilerOccurrence[]): boolean {
    const meanOne = here.length > references.length && here.every(({ moniker }) => moniker === here[0].moniker);
    if (here.length !== references.length && !meanOne) return false;
    references.forEach((reference, i) => {
      this.matched.set(reference, here[i]);
      this.rest.delete(here[i]);
    });
    return true;
  }

  /** Target of a reference; null for something outside of what compilers saw, undefined if they do not have the reference. */
  of(reference: Reference): SymbolRef | null | undefined {
    const occurrence = this.matched.get(reference);
    return occurrence === undefined ? undefined : this.target(occurrence);
  }

  /** Is the name a parameter or a local variable, which is no symbol? */
  isLocal(reference: Reference): boolean {
    const occurrence = this.matched.get(reference);
    return occurrence?.isLocal === true && this.target(occurrence) === null;
  }

  /**
   * Compares a target that was found without the compiler with the occurrences that may be the reference. `confirmed`: one of
   * them leads there. `denied`: none does, although compilers know both files. `replaced`: nothing else resolves the name, and
   * `others` has the use. Undefined if the compiler has no say.
   */
  judge(reference: Reference, target: SymbolRef | null): 'confirmed' | 'denied' | 'replaced' | undefined {
    const open = this.open.get(reference);
    if (target === null) return open?.isComplete && MENTIONS.has(reference.kind) ? 'replaced' : undefined;
    const same = open?.here.find((occurrence) => {
      const other = this.rest.has(occurrence) ? this.target(occurrence) : null;
      return other?.file === target.file && other.symbol === target.symbol;
    });
    if (same !== undefined) {
      this.rest.delete(same);
      return 'confirmed';
    }
    const isContradicted = this.of(reference) === null || (open !== undefined && open.here.length > 0);
    return isContradicted && this.ctx.symbols.isCompiled(target.file) ? 'denied' : undefined;
  }

  /** Uses without a reference in the facts, such as keys of object literals, with their targets. */
  others(): { reference: Reference; target: SymbolRef }[] {
    const found: { reference: Reference; target: SymbolRef }[] = [];
    for (const occurrence of this.rest) {
      const { line, name, isWrite, isMember } = occurrence;
      const target = this.inImport(line) ? null : this.target(occurrence);
      if (!target) continue;
      const kind = isWrite ? 'write' : 'read';
      const receiver = isMember ? UNKNOWN_RECEIVER : '';
      const at = { symbol: innermost(this.index, line), startLine: line, endLine: line };
      found.push({ reference: { kind, name, receiver, args: -1, literal: '', ...at }, target });
    }
    return found;
  }

  private inImport(line: number): boolean {
    const { imports } = this.index;
    const last = imports[startingBefore(imports, line) - 1];
    return last !== undefined && STATEMENTS.has(last.kind) && line <= last.endLine;
  }

  /** Definition that an occurrence means; null if there is none, undefined if copies of it are equally near. */
  private target({ moniker, name }: CompilerOccurrence): SymbolRef | null | undefined {
    const { symbols, file: own } = this.ctx;
    const found = symbols.definedAs(moniker);
    const node = found.length < 2 ? found[0] : nearest(symbols, found, own);
    if (node === undefined) return found.length === 0 ? null : undefined;
    const { nodes } = symbols.snapshot;
    const [file, symbol] = [nodes.fileOf(node), nodes.symbolOf(node)];
    const { kind, container, name: defined } = symbols.symbol(file, symbol);
    // `new Cart()` names the class, though compilers lead to its constructor.
    return kind === 'constructor' && container >= 0 && defined !== name
      ? { file, symbol: container }
      : { file, symbol };
  }
}

/** Copies of a file define the same symbols: the copy that shares most folders is meant. Undefined if two are equally near. */
function nearest(symbols: SymbolTable, nodes: readonly number[], file: number): number | undefined {
  const from = symbols.path(file);
  const fileOf = (node: number) => symbols.snapshot.nodes.fileOf(node);
  let best: number | undefined;
  let most = -1;
  let isTie = false;
  for (const node of nodes.slice(0, MAX_COPIES)) {
    const depth = fileOf(node) === file ? Number.POSITIVE_INFINITY : commonDepth(from, symbols.path(fileOf(node)));
    if (depth < most) continue;
    isTie = depth === most && best !== undefined && fileOf(best) !== fileOf(node);
    if (depth > most) best = node;
    most = depth;
  }
  return isTie ? undefined : best;
}

/** Maximum number of definitions of one symbol that are compared. */
const MAX_COPIES = 200;

/** Is the receiver written before the name? `cart.apply{=}` is left out in the text. */
function isWritten(receiver: string): boolean {
  return receiver !== '' && !receiver.endsWith('{=}');
}

/** Groups by line and name, in order. */
function byPlace<T extends { name: string }>(items: Iterable<T>, lineOf: (item: T) => number): Map<string, T[]> {
  return groupBy(items, (item) => `${lineOf(item)} ${item.name}`);
}

/** Index of the innermost symbol around a line, -1 for none. A container stands before its members. */
function innermost({ symbols }: FileIndex, line: number): number {
  let at = startingBefore(symbols, line) - 1;
  while (at >= 0 && symbols[at].endLine < line) at = symbols[at].container;
  return at;
}

/** Number of items that start at a line or before it, of items sorted by that. */
function startingBefore(items: readonly { startLine: number }[], line: number): number {
  return firstFrom(items.length, (i) => items[i].startLine <= line);
}
