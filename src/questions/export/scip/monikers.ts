/**
 * SCIP symbols of the nodes of a graph. They are made of a file's path, the names of what is around a definition, and its
 * own: another commit gives the same symbol as long as these stay. So the version of the package is left open.
 */
import type { SymbolKind } from '../../../extract/facts.js';
import type { Graph } from '../../../graph/graph.js';
import { firstOf } from '../../../graph/query/overloads.js';
import { packageFinder } from '../../../languages/scip-names.js';
import { formatDescriptor, formatPackage, type ScipSuffix } from '../../../scip/symbol.js';
import { SCIP_KINDS } from '../../../scip/types.js';

const SCHEME = 'scip-socraticode';

/** Suffix and code of each kind of symbol in SCIP (data). */
const KINDS: Readonly<Record<SymbolKind, readonly [suffix: ScipSuffix, code: number]>> = {
  function: ['().', SCIP_KINDS.function],
  method: ['().', SCIP_KINDS.method],
  constructor: ['().', SCIP_KINDS.constructor],
  class: ['#', SCIP_KINDS.class],
  interface: ['#', SCIP_KINDS.interface],
  trait: ['#', SCIP_KINDS.trait],
  struct: ['#', SCIP_KINDS.struct],
  enum: ['#', SCIP_KINDS.enum],
  'enum-member': ['.', SCIP_KINDS.enumMember],
  type: ['#', SCIP_KINDS.typeAlias],
  module: ['/', SCIP_KINDS.module],
  namespace: ['/', SCIP_KINDS.namespace],
  constant: ['.', SCIP_KINDS.constant],
  variable: ['.', SCIP_KINDS.variable],
  field: ['.', SCIP_KINDS.field],
  property: ['.', SCIP_KINDS.property],
  macro: ['!', SCIP_KINDS.macro],
  object: ['#', SCIP_KINDS.class],
  section: [':', SCIP_KINDS.unspecified],
  table: ['#', SCIP_KINDS.unspecified],
  selector: [':', SCIP_KINDS.unspecified],
  key: ['.', SCIP_KINDS.unspecified],
  impl: ['#', SCIP_KINDS.unspecified],
};

export function scipKind(graph: Graph, node: number): number {
  const kind = graph.kind(node);
  return kind === 'file' ? SCIP_KINDS.file : KINDS[kind][1];
}

export class Monikers {
  private readonly known: string[] = [];
  /** Nodes by symbol, to tell apart definitions that would have the same. */
  private readonly taken = new Map<string, number>();
  private readonly packageOf: ReturnType<typeof packageFinder>;

  constructor(
    private readonly graph: Graph,
    manifests: ReadonlyMap<string, string>,
  ) {
    this.packageOf = packageFinder(manifests);
    // In the order of nodes, so that numbers that tell symbols apart do not depend on who asks first.
    for (let node = 0; node < graph.nodeCount; node++) this.known.push(this.make(node));
  }

  of(node: number): string {
    return this.known[node];
  }

  /** Is the node a block that adds to a type of its file, and that uses the type's name? */
  isAddition(node: number): boolean {
    return this.graph.kind(node) === 'impl' && this.meant(node) !== node;
  }

  private make(node: number): string {
    const { graph } = this;
    if (graph.isFile(node)) return this.fileSymbol(node);
    const first = this.meant(node);
    if (first !== node) return this.known[first];
    const container = this.known[graph.container(node)];
    const name = graph.name(node) === '' ? '_' : graph.name(node);
    const kind = graph.kind(node);
    const suffix = kind === 'file' ? '/' : KINDS[kind][0];
    for (let count = 0; ; count++) {
      const again = count === 0 ? '' : `+${count}`;
      const descriptor =
        suffix === '().' ? { name, suffix, disambiguator: again } : { name: `${name}${again}`, suffix };
      const symbol = container + formatDescriptor(descriptor);
      if (this.taken.has(symbol)) continue;
      this.taken.set(symbol, node);
      return symbol;
    }
  }

  /** Node that this one only adds to: the first overload, or the type of an `impl` block. */
  private meant(node: number): number {
    const { graph } = this;
    if (graph.kind(node) !== 'impl') return firstOf(graph, node);
    const file = graph.fileOf(node);
    const same = graph.namesakes(node).find((other) => graph.fileOf(other) === file);
    return same === undefined || same > node ? node : same;
  }

  private fileSymbol(node: number): string {
    const { path, language } = this.graph.tables.files[this.graph.fileOf(node)];
    const names = path.split('/').map((name) => formatDescriptor({ name, suffix: '/' }));
    return formatPackage({ scheme: SCHEME, ...this.packageOf({ path, language }), version: '' }) + names.join('');
  }
}
