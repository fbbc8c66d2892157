/** Finds the definitions around an offset. */
import { type Draft, FUNCTION_KINDS, TYPE_KINDS } from '../draft.js';

/** A definition of the stack, with the innermost of each kind up to it. Thousands can lie around one offset: `var a, b, c T` in Go. */
interface Level extends Record<Sought, number> {
  index: number;
}

/** -1 for none. */
type Sought = 'function' | 'type' | 'alias' | 'holder' | 'space';

/** The definitions around an offset. Offsets are asked in ascending order; `rewind` starts again. */
export class Enclosing {
  private readonly stack: Level[] = [];
  private next = 0;
  private names: Map<string, number> | null = null;

  constructor(readonly drafts: readonly Draft[]) {}

  rewind(): void {
    this.next = 0;
    this.stack.length = 0;
  }

  innermost(at: number): number {
    this.moveTo(at);
    return this.top?.index ?? -1;
  }

  function(at: number): number {
    return this.nearest('function', at);
  }

  type(at: number): number {
    return this.nearest('type', at);
  }

  /** A type, or the name of one: `type Cart = { … }`. */
  typeOrAlias(at: number): number {
    return this.nearest('alias', at);
  }

  /** The function; a property of a type whose accessor or value is around the offset; -1 if there is none. */
  code(at: number): number {
    const index = this.function(at);
    if (index !== -1) return index;
    const inner = this.top?.index ?? -1;
    const holder = inner === -1 ? null : this.drafts[inner].container;
    const isMember = holder !== null && TYPE_KINDS.has(holder.kind) && !TYPE_KINDS.has(this.drafts[inner].kind);
    return isMember ? inner : -1;
  }

  /** A function or a type, whichever is nearer. */
  holder(at: number): number {
    return this.nearest('holder', at);
  }

  isFunction(index: number): boolean {
    return index >= 0 && FUNCTION_KINDS.has(this.drafts[index].kind);
  }

  isType(index: number | null): boolean {
    return index !== null && index >= 0 && TYPE_KINDS.has(this.drafts[index].kind);
  }

  /** Name of the enclosing type or module; `this` if there is none. */
  ownName(at: number): string {
    const index = this.nearest('space', at);
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

  private get top(): Level | undefined {
    return this.stack[this.stack.length - 1];
  }

  private nearest(sought: Sought, at: number): number {
    this.moveTo(at);
    return this.top?.[sought] ?? -1;
  }

  private moveTo(at: number): void {
    const { drafts } = this;
    for (; this.next < drafts.length && drafts[this.next].start <= at; this.next++) {
      this.leave(drafts[this.next].start);
      this.enter(this.next);
    }
    this.leave(at);
  }

  private enter(index: number): void {
    const { kind } = this.drafts[index];
    const [isFunction, isType] = [FUNCTION_KINDS.has(kind), TYPE_KINDS.has(kind)];
    const around = this.top;
    this.stack.push({
      index,
      function: isFunction ? index : (around?.function ?? -1),
      type: isType ? index : (around?.type ?? -1),
      alias: isType || kind === 'type' ? index : (around?.alias ?? -1),
      holder: isFunction || isType ? index : (around?.holder ?? -1),
      space: isType || kind === 'module' ? index : (around?.space ?? -1),
    });
  }

  /** Definitions that aren't nested in each other by position (aliases of one statement) leave from wherever they are. */
  private leave(at: number): void {
    for (let { top } = this; top !== undefined && this.drafts[top.index].end <= at; { top } = this) this.stack.pop();
  }
}
