/** State of linking one file: its view of the symbol table, remembered answers, and limits on the work. */
import type { Binding } from '../../languages/roles/relation-facts.js';
import type { Recorder } from './recorder.js';
import { type Snapshot, SymbolTable } from './symbol-table.js';
import type { AbstractValue, NameResolution, SymbolRef, TypeRef } from './values.js';

/** Mutually recursive functions, see `questions.ts`. */
type Questions = typeof import('./questions.js').QUESTIONS;

/** Maximum depth of nested queries. Access paths, aliases, re-exports and parents can be endless in hostile input. */
const MAX_DEPTH = 40;
/** Maximum number of queries for one reference. */
const MAX_STEPS = 500;
/** Maximum number of queries for all references of one file, about a second. */
const MAX_FILE_STEPS = 300_000;
/** Maximum number of scanned items of equal name, about a second. Real files stay below a tenth of it. */
const MAX_FILE_SCANNED = 10_000_000;

/** State of the evaluation when a span in it began. */
interface Span {
  outermost: number;
  notAsked: number;
  isExporting: boolean;
}

export class Context {
  readonly symbols: SymbolTable;
  readonly accessPaths = new Map<string, AbstractValue | null>();
  readonly types = new Map<string, AbstractValue | null>();
  /** Values that properties of types can have, by type and property. */
  readonly memberValues = new Map<string, readonly string[] | null>();
  readonly genericAliases = new Map<string, SymbolRef | null>();
  /** How often aliases are being applied, by `keyOf`, to end those that stand for themselves with other arguments. */
  readonly applying = new Map<number, number>();
  readonly parents = new Map<number, readonly TypeRef[]>();
  readonly parts = new Map<number, readonly SymbolRef[]>();
  /** Bindings that are being evaluated, each with the number of those around it, to end cycles such as `x = x.next()`. */
  readonly active = new Map<Binding, number>();
  /** Exports looked up by the current query, to end cycles of files that re-export each other. */
  readonly exporting = new Set<string>();
  /** Remembered answers of `exportedBy`, by name, and by file and expected kinds. */
  readonly exports = new Map<string, Map<number, NameResolution | null>>();
  included: ReadonlySet<number> | null = null;
  private depth = 0;
  /** The outermost binding around that the answers of the present span depended on, by its number; -1 for other limits. */
  private outermost = Number.POSITIVE_INFINITY;
  /** Exports that were not asked again because the query around them had asked them. */
  private notAsked = 0;
  private steps = 0;
  private allSteps = 0;

  constructor(
    snapshot: Snapshot,
    readonly recorder: Recorder,
    readonly ask: Questions,
  ) {
    this.symbols = new SymbolTable(snapshot, recorder);
  }

  get file(): number {
    return this.recorder.file;
  }

  /** Resets the limits of one reference. Must be called before each reference. */
  begin(): void {
    this.depth = 0;
    this.steps = 0;
  }

  /** Starts a query unless a limit is reached. Returns false if it must not run; otherwise `leave` must follow. */
  enter(): boolean {
    if (this.depth >= MAX_DEPTH) this.outermost = -1;
    if (this.depth >= MAX_DEPTH || this.exhausted) return false;
    this.depth++;
    this.steps++;
    this.allSteps++;
    return true;
  }

  leave(): void {
    this.depth--;
  }

  /** Is the binding being evaluated, so that its value can be no part of itself? The present answer depends on it then. */
  isActive(binding: Binding): boolean {
    const number = this.active.get(binding);
    if (number !== undefined) this.outermost = Math.min(this.outermost, number);
    return number !== undefined;
  }

  /** Notes that the present answer would be another one elsewhere, because something around it ended a recursion. */
  cut(): void {
    this.outermost = -1;
  }

  /** Notes that an export was left out, since the query around this one has asked for it. */
  cutExport(): void {
    this.notAsked++;
  }

  /** Starts a span: the evaluation of one answer. `endSpan` must follow. */
  startSpan(): Span {
    const { outermost, notAsked } = this;
    this.outermost = Number.POSITIVE_INFINITY;
    return { outermost, notAsked, isExporting: this.exporting.size > 0 };
  }

  /** Ends a span. Is its answer the same wherever it is asked for, so that it may be remembered? */
  endSpan({ outermost, notAsked, isExporting }: Span): boolean {
    const own = this.outermost;
    this.outermost = Math.min(own, outermost);
    if (this.exhausted) return false;
    return this.active.size === 0 || (own >= this.active.size && !(isExporting && this.notAsked > notAsked));
  }

  /** Was a limit reached? Then the last answer may be incomplete and must not be remembered. */
  get exhausted(): boolean {
    return this.steps >= MAX_STEPS || this.allSteps >= MAX_FILE_STEPS || this.symbols.scanned >= MAX_FILE_SCANNED;
  }
}
