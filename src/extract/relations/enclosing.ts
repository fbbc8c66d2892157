/** Finds the definitions around an offset. */
import { type Draft, FUNCTION_KINDS, TYPE_KINDS } from '../draft.js';

/** The definitions around an offset. Offsets are asked in ascending order; `rewind` starts again. */
export class Enclosing {
  private readonly stack: number[] = [];
  private next = 0;
  private names: Map<string, number> | null = null;

  constructor(readonly drafts: readonly Draft[]) {}

  rewind(): void {
    this.next = 0;
    this.stack.length = 0;
  }

  innermost(at: number): number {
    this.moveTo(at);
    return this.stack[this.stack.length - 1] ?? -1;
  }

  function(at: number): number {
    this.moveTo(at);
    return this.find((draft) => FUNCTION_KINDS.has(draft.kind));
  }

  type(at: number): number {
    this.moveTo(at);
    return this.find((draft) => TYPE_KINDS.has(draft.kind));
  }

  /** The function; a property of a type whose accessor or value is around the offset; -1 if there is none. */
  code(at: number): number {
    const index = this.function(at);
    if (index !== -1) return index;
    const inner = this.stack[this.stack.length - 1] ?? -1;
    const holder = inner === -1 ? null : this.drafts[inner].container;
    const isMember = holder !== null && TYPE_KINDS.has(holder.kind) && !TYPE_KINDS.has(this.drafts[inner].kind);
    return isMember ? inner : -1;
  }

  /** A function or a type, whichever is nearer. */
  holder(at: number): number {
    this.moveTo(at);
    return this.find((draft) => FUNCTION_KINDS.has(draft.kind) || TYPE_KINDS.has(draft.kind));
  }

  isFunction(index: number): boolean {
    return index >= 0 && FUNCTION_KINDS.has(this.drafts[index].kind);
  }

  isType(index: number | null): boolean {
    return index !== null && index >= 0 && TYPE_KINDS.has(this.drafts[index].kind);
  }

  /** Name of the enclosing type or module; `this` if there is none. */
  ownName(at: number): string {
    this.moveTo(at);
    const index = this.find((draft) => TYPE_KINDS.has(draft.kind) || draft.kind === 'module');
    return index === -1 ? 'this' : this.drafts[index].name;
  }

  /** The first symbol of that name, -1 if there is none. */
  named(name: string): number {
    if (this.names === null) {
      this.names = new Map();
      for (const [index, draft] of this.drafts.entries())
        if (!this.names.has(draft.name)) this.names.set(draft.name, index);
    }
    return this.names.get(name) ?? -1;
  }

  private moveTo(at: number): void {
    const { stack, drafts } = this;
    for (; this.next < drafts.length && drafts[this.next].start <= at; this.next++) {
      this.leave(drafts[this.next].start);
      stack.push(this.next);
    }
    this.leave(at);
  }

  /** Definitions that aren't nested in each other by position (aliases of one statement) leave from wherever they are. */
  private leave(at: number): void {
    const { stack, drafts } = this;
    while (stack.length > 0 && drafts[stack[stack.length - 1]].end <= at) stack.pop();
  }

  private find(matches: (draft: Draft) => boolean): number {
    for (let i = this.stack.length - 1; i >= 0; i--) if (matches(this.drafts[this.stack[i]])) return this.stack[i];
    return -1;
  }
}
