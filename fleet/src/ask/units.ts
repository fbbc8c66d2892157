/** Payloads and texts of units, with a cache of recent ones. A unit never changes, so nothing here goes stale. */
import type { FleetEngine } from '../contract.js';
import { type OpenedUnit, openPayload, openText } from '../unit.js';
import { ByteCache } from './byte-cache.js';

/** Bytes of opened units and of texts in the cache. */
const CACHE_BYTES = 128 << 20;
const KEPT_TEXT_BYTES = 32 << 20;

export class FleetUnits {
  private readonly opened = new ByteCache<OpenedUnit>(CACHE_BYTES);
  private readonly texts = new ByteCache<Buffer | null>(KEPT_TEXT_BYTES);

  constructor(private readonly engine: Pick<FleetEngine, 'payloads' | 'texts'>) {}

  /** Opened units by key, without those that were collected meanwhile. Throws FLEET_STORE for damaged ones. */
  async open(keys: readonly string[]): Promise<Map<string, OpenedUnit>> {
    const found = new Map<string, OpenedUnit>();
    const missing: string[] = [];
    for (const key of keys) {
      const unit = this.opened.get(key);
      if (unit === undefined) missing.push(key);
      else found.set(key, unit);
    }
    if (missing.length === 0) return found;
    for (const [key, payload] of await this.engine.payloads(missing)) {
      const unit = openPayload(key, payload);
      this.opened.set(key, unit, payload.length * INFLATED);
      found.set(key, unit);
    }
    return found;
  }

  /** Bytes of the blob; null if the fleet keeps no texts, or the unit was collected meanwhile. Throws FLEET_STORE. */
  async text(key: string): Promise<Buffer | null> {
    const known = this.texts.get(key);
    if (known !== undefined) return known;
    const stored = (await this.engine.texts([key])).get(key);
    const text = stored === undefined ? null : openText(key, stored);
    this.texts.set(key, text, (text?.length ?? 0) + OVERHEAD);
    return text;
  }

  /** Reads texts ahead, in one request. */
  async readTexts(keys: readonly string[]): Promise<void> {
    const missing = keys.filter((key) => this.texts.get(key) === undefined);
    if (missing.length === 0) return;
    for (const [key, stored] of await this.engine.texts(missing)) {
      const text = openText(key, stored);
      this.texts.set(key, text, (text?.length ?? 0) + OVERHEAD);
    }
  }
}

/** Bytes in memory for each byte of a payload (14 kB for 6 were measured), and for an entry itself. */
const INFLATED = 2.3;
const OVERHEAD = 200;
