/** Counters of a fleet's server, in Prometheus's format. Names of repositories are no labels, since whoever reads metrics may not see any. */

/** Upper bounds of request times, in seconds. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Histogram {
  counts: number[];
  sum: number;
  count: number;
}

export class Metrics {
  private readonly requests = new Map<string, number>();
  private readonly seconds = new Map<string, Histogram>();
  private readonly totals = new Map<string, number>();
  open = 0;

  /** Counts an answered request; `route` is one of our names, never an address that a client chose. */
  answered(route: string, status: number, ms: number): void {
    const name = `route="${route}",status="${status}"`;
    this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
    const seconds = ms / 1_000;
    const own = this.seconds.get(route) ?? { counts: BUCKETS.map(() => 0), sum: 0, count: 0 };
    for (const [i, bound] of BUCKETS.entries()) if (seconds <= bound) own.counts[i]++;
    own.sum += seconds;
    own.count++;
    this.seconds.set(route, own);
  }

  add(name: string, by = 1): void {
    this.totals.set(name, (this.totals.get(name) ?? 0) + by);
  }

  /** Text in Prometheus's exposition format, version 0.0.4. `gauges`: values of now. */
  text(gauges: Readonly<Record<string, number>>): string {
    const lines = ['# TYPE socraticode_fleet_requests_total counter'];
    for (const [labels, count] of this.requests) lines.push(`socraticode_fleet_requests_total{${labels}} ${count}`);
    lines.push('# TYPE socraticode_fleet_request_seconds histogram');
    for (const [route, { counts, sum, count }] of this.seconds) {
      const of = `route="${route}"`;
      for (const [i, bound] of BUCKETS.entries())
        lines.push(`socraticode_fleet_request_seconds_bucket{${of},le="${bound}"} ${counts[i]}`);
      lines.push(`socraticode_fleet_request_seconds_bucket{${of},le="+Inf"} ${count}`);
      lines.push(`socraticode_fleet_request_seconds_sum{${of}} ${sum}`);
      lines.push(`socraticode_fleet_request_seconds_count{${of}} ${count}`);
    }
    for (const [name, count] of this.totals)
      lines.push(`# TYPE socraticode_fleet_${name}_total counter`, `socraticode_fleet_${name}_total ${count}`);
    const { user, system } = process.cpuUsage();
    const { rss, heapTotal, external } = process.memoryUsage();
    const all = {
      ...gauges,
      requests_open: this.open,
      resident_memory_bytes: rss,
      // Memory of JavaScript; the rest of the process is LanceDB's, with its caches.
      heap_memory_bytes: heapTotal,
      buffer_memory_bytes: external,
      cpu_seconds: (user + system) / 1e6,
    };
    for (const [name, value] of Object.entries(all))
      lines.push(`# TYPE socraticode_fleet_${name} gauge`, `socraticode_fleet_${name} ${value}`);
    return `${lines.join('\n')}\n`;
  }
}
