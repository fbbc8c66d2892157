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

export class Context {
  readonly symbols: SymbolTable;
  readonly accessPaths = new Map<string, AbstractValue | null>();
  readonly types = new Map<string, AbstractValue | null>();
  readonly genericAliases = new Map<string, SymbolRef | null>();
  /** How often aliases are being applied, by `keyOf`, to end those that stand for themselves with other arguments. */
  readonly applying = new Map<number, number>();
  readonly parents = new Map<number, readonly TypeRef[]>();
  readonly parts = new Map<number, readonly SymbolRef[]>();
  /** Bindings that are being evaluated, to end cycles such as `x = x.next()`. */
  readonly active = new Set<Binding>();
  /** Exports looked up by the current query, to end cycles of files that re-export each other. */
  readonly exporting = new Set<string>();
  /** Remembered answers of `exportedBy`, by name, and by file and expected kinds. */
  readonly exports = new Map<string, Map<number, NameResolution | null>>();
  included: ReadonlySet<number> | null = null;
  private depth = 0;
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
    if (this.depth >= MAX_DEPTH || this.exhausted) return false;
    this.depth++;
    this.steps++;
    this.allSteps++;
    return true;
  }

  leave(): void {
    this.depth--;
  }

  /** Was a limit reached? Then the last answer may be incomplete and must not be remembered. */
  get exhausted(): boolean {
    return this.steps >= MAX_STEPS || this.allSteps >= MAX_FILE_STEPS || this.symbols.scanned >= MAX_FILE_SCANNED;
  }
}
