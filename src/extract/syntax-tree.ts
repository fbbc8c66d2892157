/**
 * A syntax tree as columns: one number a node and column, in document order, outer nodes before inner ones. The parser
 * writes them in one pass, so that reading a node is reading an array; an object is made for a node only when it is asked for.
 */
import type { SyntaxNode } from '../languages/roles/syntax-node.js';

/** Kinds and fields of a grammar, by the numbers that trees have for them. */
export interface GrammarNames {
  kinds: readonly string[];
  /** 1 for kinds with a name in the grammar, 0 for tokens such as `(`. */
  named: Uint8Array;
  /** Numbers of the named kinds of a name. */
  numbers: ReadonlyMap<string, readonly number[]>;
  fields: ReadonlyMap<string, number>;
}

/** Kind that tree-sitter gives to text it cannot parse; every other number is less than the count of kinds. */
const ERROR = 'ERROR';

export class SyntaxTree {
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** Index of the node behind a node and its descendants. */
  readonly next: Uint32Array;
  readonly parent: Uint32Array;
  readonly kind: Uint16Array;
  /** Field of the parent that the node is in, 0 for none. */
  readonly field: Uint16Array;
  private before: Int32Array | null = null;

  /** `text`: what nodes show as their text. `columns`: four columns of 32 bits and two of 16, in the order of the properties above. */
  constructor(
    readonly names: GrammarNames,
    readonly text: string,
    readonly count: number,
    columns: ArrayBuffer,
  ) {
    this.start = new Uint32Array(columns, 0, count);
    this.end = new Uint32Array(columns, 4 * count, count);
    this.next = new Uint32Array(columns, 8 * count, count);
    this.parent = new Uint32Array(columns, 12 * count, count);
    this.kind = new Uint16Array(columns, 16 * count, count);
    this.field = new Uint16Array(columns, 18 * count, count);
  }

  get root(): TreeNode {
    return new TreeNode(this, 0);
  }

  nameOf(index: number): string {
    return this.names.kinds[this.kind[index]] ?? ERROR;
  }

  isNamed(index: number): boolean {
    return this.names.named[this.kind[index]] !== 0;
  }

  /** Index of the sibling before a node, -1 for none. Computed for all nodes at once, so that asking each stays linear. */
  previous(index: number): number {
    this.before ??= this.siblingsBefore();
    return this.before[index];
  }

  private siblingsBefore(): Int32Array {
    const before = new Int32Array(this.count).fill(-1);
    for (let i = 1; i < this.count; i++) {
      const sibling = this.next[i];
      if (sibling < this.count && this.parent[sibling] === this.parent[i]) before[sibling] = i;
    }
    return before;
  }
}

export class TreeNode implements SyntaxNode {
  readonly start: number;
  readonly end: number;
  private below: readonly TreeNode[] | null = null;
  private fields: Map<string, TreeNode | null> | null = null;

  constructor(
    readonly tree: SyntaxTree,
    readonly index: number,
  ) {
    this.start = tree.start[index];
    this.end = tree.end[index];
  }

  get kind(): string {
    return this.tree.nameOf(this.index);
  }

  get text(): string {
    return this.tree.text.slice(this.start, this.end);
  }

  get parent(): TreeNode | null {
    return this.index === 0 ? null : new TreeNode(this.tree, this.tree.parent[this.index]);
  }

  get children(): readonly TreeNode[] {
    return this.childrenThat(() => true);
  }

  get namedChildren(): readonly TreeNode[] {
    this.below ??= this.childrenThat((index) => this.tree.isNamed(index));
    return this.below;
  }

  get previous(): TreeNode | null {
    const index = this.tree.previous(this.index);
    return index === -1 ? null : new TreeNode(this.tree, index);
  }

  get next(): TreeNode | null {
    const { next, parent, count } = this.tree;
    const index = next[this.index];
    return index < count && parent[index] === parent[this.index] ? new TreeNode(this.tree, index) : null;
  }

  field(name: string): TreeNode | null {
    // Kept: each of the 30,000 names of one declaration asks its node for the same fields.
    let found = this.fields?.get(name);
    if (found === undefined) {
      found = this.findField(name);
      this.fields ??= new Map();
      this.fields.set(name, found);
    }
    return found;
  }

  private findField(name: string): TreeNode | null {
    const { next, field, names } = this.tree;
    const wanted = names.fields.get(name);
    if (wanted === undefined) return null;
    for (let i = this.index + 1; i < next[this.index]; i = next[i])
      if (field[i] === wanted) return new TreeNode(this.tree, i);
    return null;
  }

  fieldChildren(name: string): readonly TreeNode[] {
    const wanted = this.tree.names.fields.get(name);
    return wanted === undefined ? [] : this.childrenThat((index) => this.tree.field[index] === wanted);
  }

  private childrenThat(isWanted: (index: number) => boolean): TreeNode[] {
    const { next } = this.tree;
    const found: TreeNode[] = [];
    for (let i = this.index + 1; i < next[this.index]; i = next[i])
      if (isWanted(i)) found.push(new TreeNode(this.tree, i));
    return found;
  }
}
