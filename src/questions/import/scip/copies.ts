/** Files with the same bytes have one record, though an index has a document and symbols for each of them. */
import { isLocalSymbol } from '../../../scip/symbol.js';
import { SCIP_ROLES, type ScipDocument } from '../../../scip/types.js';

export class Copies {
  /** Symbols of further copies, by those of the first one. */
  readonly same = new Map<string, string>();
  private readonly repeated: ReadonlySet<string>;
  /** Symbols that the first copy of a blob defines, by their place. */
  private readonly first = new Map<string, Map<string, string>>();

  /** `oids`: those of all files. */
  constructor(oids: Iterable<string>) {
    const seen = new Set<string>();
    const repeated = new Set<string>();
    for (const oid of oids) (seen.has(oid) ? repeated : seen).add(oid);
    this.repeated = repeated;
  }

  get isNone(): boolean {
    return this.repeated.size === 0;
  }

  has(oid: string): boolean {
    return this.repeated.has(oid);
  }

  /** Looks at the definitions of a document about a blob. */
  note(oid: string, { occurrences }: ScipDocument): void {
    if (!this.repeated.has(oid)) return;
    const known = this.first.get(oid);
    const own = known ?? new Map<string, string>();
    if (known === undefined) this.first.set(oid, own);
    for (const { range, symbol, roles } of occurrences) {
      if (!(roles & SCIP_ROLES.definition) || isLocalSymbol(symbol)) continue;
      const place = range.join(':');
      if (known === undefined) own.set(place, symbol);
      else {
        const first = own.get(place);
        if (first !== undefined && first !== symbol) this.same.set(symbol, first);
      }
    }
  }
}
