/** Maintains the store of a fleet from time to time. Of several servers over one store, the one with the lease does it. */
import { agesAt } from '../collect.js';
import type { FleetEngine } from '../contract.js';
import { isSocraticodeError, safeJson } from '../internal.js';
import { processHolder } from '../lease.js';
import type { Metrics } from './metrics.js';

const EVERY_MS = 10 * 60_000;
/** Milliseconds until the first time, so that a server that restarts again and again does not only maintain. */
const FIRST_MS = 60_000;

interface MaintenanceOptions {
  metrics: Metrics;
  write: (line: string) => void;
  /** Milliseconds between two runs. */
  every?: number;
  first?: number;
}

export class Maintenance {
  private timer: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly engine: Pick<FleetEngine, 'maintain'>,
    private readonly options: MaintenanceOptions,
  ) {
    this.timer = this.after(options.first ?? FIRST_MS);
  }

  private after(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.running = this.once().then(() => {
        if (!this.stopped) this.timer = this.after(this.options.every ?? EVERY_MS);
      });
    }, ms).unref();
  }

  private async once(): Promise<void> {
    const { metrics, write } = this.options;
    const now = Math.floor(Date.now() / 1_000);
    const holder = processHolder();
    const logLine = (fields: object) =>
      write(`${safeJson({ time: new Date().toISOString(), event: 'maintenance', ...fields })}\n`);
    try {
      const report = await this.engine.maintain({ holder, now, ...agesAt(now) });
      metrics.add(report === null ? 'maintenance_elsewhere' : 'maintenance');
      if (report !== null) logLine(report);
    } catch (error) {
      metrics.add('maintenance_failures');
      logLine({ code: isSocraticodeError(error) ? error.code : 'INTERNAL' });
    }
  }

  /** Resolves when the running work has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
