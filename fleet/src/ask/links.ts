/** Uses in published views: sketches of all views in memory, and the facts of relevant ones on demand. */
import type { FleetEngine } from '../contract.js';
import { isSocraticodeError, type LinkedFacts, log, mayUse } from '../internal.js';
import { viewKey } from '../keys.js';
import { decodeLinks, decodeSketch } from '../links.js';
import type { LiveView } from './views.js';

/** Views whose facts are read in one request: some megabytes. */
const READ_AT_ONCE = 16;

export interface FoundLinks {
  view: LiveView;
  facts: LinkedFacts;
}

interface Sketch {
  commit: string;
  /** Null for a view that was published without facts. */
  hashes: Uint32Array | null;
}

export class FleetLinks {
  private readonly sketches = new Map<string, Sketch>();

  constructor(private readonly engine: Pick<FleetEngine, 'readViews'>) {}

  /**
   * Yields the facts of views that may use something `wanted`; `onUnknown` receives views without facts or with damaged ones.
   * Throws FLEET_STORE if the store cannot be read.
   */
  async *using(
    views: readonly LiveView[],
    { wanted, onUnknown }: { wanted: ReadonlySet<number>; onUnknown: (view: LiveView) => void },
  ): AsyncGenerator<FoundLinks> {
    const isNew = (view: LiveView) => this.sketches.get(view.key)?.commit !== view.commit;
    for await (const [view, bytes] of this.read(views.filter(isNew)))
      this.sketches.set(view.key, { commit: view.commit, hashes: unlessDamaged(() => decodeSketch(bytes)) });
    const possible = views.filter((view) => {
      const hashes = this.sketches.get(view.key)?.hashes ?? null;
      if (hashes === null) onUnknown(view);
      return hashes !== null && mayUse(hashes, wanted);
    });
    for await (const [view, bytes] of this.read(possible)) {
      const facts = unlessDamaged(() => decodeLinks(bytes));
      if (facts !== null) yield { view, facts };
      else onUnknown(view);
    }
  }

  /** A view that moved meanwhile is read as it is now, which is newer by a second. */
  private async *read(views: readonly LiveView[]): AsyncGenerator<[LiveView, Uint8Array]> {
    for (let from = 0; from < views.length; from += READ_AT_ONCE) {
      const some = views.slice(from, from + READ_AT_ONCE);
      const found = await this.engine.readViews({ parts: 'links', keys: some.map(({ key }) => key) });
      const rows = new Map((found?.views ?? []).map((row) => [viewKey(row.repo, row.ref), row]));
      for (const view of some) {
        const row = rows.get(view.key);
        if (row !== undefined && row.commit !== '') yield [view, row.links];
      }
    }
  }
}

/** Null for a damaged view, so that it does not cost the answer the others. */
function unlessDamaged<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch (error) {
    if (!isSocraticodeError(error, 'FLEET_STORE')) throw error;
    log.warn(`fleet: ${error.message}`);
    return null;
  }
}
