/**
 * A syntax node with what was asked of it already. Every question is a call into native code (0.5 to 2 µs) and every
 * node a native object to collect, so that symbols and chunks share one view of the upper levels of the tree.
 */
import type { SyntaxNode } from './grammar.js';

export class Capture {
  private name: string | null = null;
  private from = -1;
  private to = -1;
  private below: Capture[] | null = null;

  constructor(readonly node: SyntaxNode) {}

  get kind(): string {
    this.name ??= String(this.node.kind());
    return this.name;
  }

  /** UTF-16 offset. */
  get start(): number {
    if (this.from === -1) this.locate();
    return this.from;
  }

  get end(): number {
    if (this.from === -1) this.locate();
    return this.to;
  }

  /** Named children; tokens without a name are never looked at. */
  get children(): readonly Capture[] {
    this.below ??= this.node.namedChildren().map((child) => new Capture(child));
    return this.below;
  }

  private locate(): void {
    [this.from, this.to] = positionOf(this.node);
  }
}

/**
 * Start and end of a node. `range()` says the same but computes lines and columns and makes three objects of them;
 * the position of an edit that replaces the node costs 60 % of it, and this is the question asked most often.
 */
export function positionOf(node: SyntaxNode): [start: number, end: number] {
  const { startPos, endPos } = node.replace('');
  return [startPos, endPos];
}
