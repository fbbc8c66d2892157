/**
 * A campaign proves one bar of reliability or security (the table in docs/campaigns.md): as a test of some seconds in the
 * suite, and as long as one likes with `npm run campaign -- NAME [size=value…]`, which prints its figures.
 */
import { appendFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type Random, randomFrom } from '../generated/random.js';
import { LONG } from './long.js';
import '../repositories/repo.js';

/** How much is tried: rounds, seconds, processes. */
export type Sizes = Readonly<Record<string, number>>;
/** What was tried and seen; a campaign that did not hold throws instead. */
export type Figures = Readonly<Record<string, number | string>>;

export interface CampaignInfo<S extends Sizes> {
  /** `R1`, `S7`, … as in docs/campaigns.md. */
  bar: string;
  /** What is true if it passes. */
  claim: string;
  /** In the suite: some seconds. */
  short: S;
  long: S;
  /** Why it cannot run here; the test is skipped with it. */
  skip?: string | false;
}

export interface CampaignRun<S extends Sizes> {
  size: S;
  /** Fixed in the suite; of a long run printed, and chosen with `seed=`. */
  random: Random;
  /** Is this the long form? What needs root, a compiler or strace runs in it alone. */
  isLong: boolean;
  t: TestContext;
  /** Shown while a long campaign goes on. */
  note: (text: string) => void;
}

/** Defines the campaign NAME of the file `test/campaign/NAME.test.ts`. */
export function campaign<S extends Sizes>(
  name: string,
  info: CampaignInfo<S>,
  run: (run: CampaignRun<S>) => Promise<Figures>,
): void {
  const isLong = LONG !== null;
  const { seed, ...given } = LONG?.sizes ?? {};
  const size = { ...(isLong ? info.long : info.short), ...given } as S;
  const unknown = Object.keys(given).filter((key) => !(key in info.long));
  test(`${info.bar} ${info.claim}`, { skip: info.skip ?? false }, async (t) => {
    if (unknown.length > 0)
      throw new Error(`${name} has no size ${unknown.join(', ')}: ${Object.keys(info.long).join(', ')}`);
    const chosen = seed ?? (isLong ? Date.now() % 1_000_000 : 1);
    const note = (text: string) => isLong && process.stderr.write(`${name}: ${text}\n`);
    note(`seed ${chosen}, ${JSON.stringify(size)}`);
    const started = performance.now();
    const figures = await run({ size, random: randomFrom(chosen), isLong, t, note });
    const seconds = Math.round((performance.now() - started) / 1_000);
    const line = JSON.stringify({ name, bar: info.bar, claim: info.claim, seed: chosen, seconds, figures });
    t.diagnostic(line);
    if (LONG?.figures) appendFileSync(LONG.figures, `${line}\n`);
  });
}
