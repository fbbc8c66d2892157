/** Linking one file: what it sees, what is known already, and how much more may be asked. */
import type { Binding } from '../../extract/relations.js';
import type { Recorder } from './recorder.js';
import { type Snapshot, SymbolTable } from './symbol-table.js';
import type { AbstractValue, NameResolution, SymbolRef } from './values.js';

/** See `questions.ts`. */
type Questions = typeof import('./questions.js').QUESTIONS;

/** Chains, aliases, re-exports and parents lead on and on in hostile input; real code stays far below. */
const MAX_DEPTH = 40;
/** Questions that one reference may cost. */
const MAX_STEPS = 500;
/** Questions that all references of one file may cost: about a second. */
const MAX_FILE_STEPS = 300_000;
/** Things of equal names that they may look through: about a second. Real files stay below a tenth of it. */
const MAX_FILE_SCANNED = 10_000_000;

export class Context {
  readonly symbols: SymbolTable;
  readonly accessPaths = new Map<string, AbstractValue | null>();
  readonly types = new Map<string, AbstractValue | null>();
  readonly parents = new Map<number, readonly SymbolRef[]>();
  readonly parts = new Map<number, readonly SymbolRef[]>();
  /** Bindings whose value is being found: `x = x.next()`. */
  readonly active = new Set<Binding>();
  /** Exports that were asked for by the question at hand: files that re-export each other. */
  readonly exporting = new Set<string>();
  /** What files export, as far as it was asked from outside of them: by name, file and what is expected. */
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

  /** Call before each reference. */
  begin(): void {
    this.depth = 0;
    this.steps = 0;
  }

  /** Is there room for another question, and for those that it leads to? */
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

  /** Was the last answer cut short? Then it must not be remembered for others. */
  get exhausted(): boolean {
    return this.steps >= MAX_STEPS || this.allSteps >= MAX_FILE_STEPS || this.symbols.scanned >= MAX_FILE_SCANNED;
  }
}
