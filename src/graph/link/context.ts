/** Linking one file: what it sees, what is known already, and how much more may be asked. */
import type { Binding } from '../../extract/relations.js';
import type { Recorder } from './recorder.js';
import type { Found, Target, Value } from './values.js';
import { type Snapshot, World } from './world.js';

/** See `questions.ts`. */
type Questions = typeof import('./questions.js').QUESTIONS;

/** Chains, aliases, re-exports and parents lead on and on in hostile input; real code stays far below. */
const DEEPEST = 40;
/** Questions that one reference may cost. */
const MOST_STEPS = 500;
/** Questions that all references of one file may cost: about a second. */
const MOST_FILE_STEPS = 300_000;
/** Things of equal names that they may look through: about a second. Real files stay below a tenth of it. */
const MOST_FILE_LOOKS = 10_000_000;

export class Context {
  readonly world: World;
  readonly chains = new Map<string, Value | null>();
  readonly types = new Map<string, Value | null>();
  readonly parents = new Map<number, readonly Target[]>();
  readonly parts = new Map<number, readonly Target[]>();
  /** Bindings whose value is being found: `x = x.next()`. */
  readonly active = new Set<Binding>();
  /** Exports that were asked for by the question at hand: files that re-export each other. */
  readonly exporting = new Set<string>();
  /** What files export, as far as it was asked from outside of them: by name, file and what is wanted. */
  readonly exports = new Map<string, Map<number, Found | null>>();
  included: ReadonlySet<number> | null = null;
  private depth = 0;
  private steps = 0;
  private allSteps = 0;

  constructor(
    snapshot: Snapshot,
    readonly recorder: Recorder,
    readonly ask: Questions,
  ) {
    this.world = new World(snapshot, recorder);
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
    if (this.depth >= DEEPEST || this.exhausted) return false;
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
    return this.steps >= MOST_STEPS || this.allSteps >= MOST_FILE_STEPS || this.world.looks >= MOST_FILE_LOOKS;
  }
}
