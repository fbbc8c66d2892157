/**
 * A process that publishes to a store by itself: `node fleet-publisher.js ADDRESS REPO FROM TO [first|crowd]`. It says that it is ready, begins when
 * its input has a line, and then tells each step and view, a line of JSON each. View i of branch `main` names the files i to i + 2. All
 * processes have the same files and one family: they send each other's units at the same time. A crowd publishes to eight repositories at the
 * same time, named REPO.0 and so on, so that its writes share commits.
 */
import { once } from 'node:events';
import { FleetIntake } from '../../../fleet/src/intake.js';
import { openEngine } from '../../../fleet/src/open.js';
import { keyIn, numberedCommit, numberedFile, PROFILE, type STEPS, uploadOf, viewOf } from '../../fleet/made.js';

export interface PublisherLine {
  /** Number of the view; -1: ready. */
  view: number;
  outcome: string;
  ms: number;
}

export interface PublisherStep {
  step: (typeof STEPS)[number];
}

const CROWD = 8;

const [address, repo, from, to, mode] = process.argv.slice(2);
/** Publishes as if nothing was published yet. */
const isFirst = mode === 'first';
const repos = mode === 'crowd' ? Array.from({ length: CROWD }, (_, i) => `${repo}.${i}`) : [repo];
const engine = await openEngine(address, PROFILE, { probe: false });
const intake = new FleetIntake(engine);
tell({ view: -1, outcome: 'ready', ms: 0 });
await once(process.stdin, 'data');
await Promise.all(repos.map(publishAll));
await engine.close();
process.exit(0);

async function publishAll(into: string): Promise<void> {
  for (let view = Number(from); view < Number(to); view++) {
    const started = performance.now();
    const outcome = await publish(into, view);
    tell({ view, outcome, ms: Math.round(performance.now() - started) });
  }
}

function tell(line: PublisherLine | PublisherStep): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Publishes a view over the one that is published; returns 'published', or 'moved' if another process came first. */
async function publish(into: string, number: number): Promise<string> {
  const files = [0, 1, 2].map((i) => numberedFile(number + i));
  const keys = files.map((file) => keyIn('family', file));
  const about = { profile: PROFILE.id, repo: into, family: 'family', ref: 'main' };
  for (;;) {
    tell({ step: 'plan' });
    const { previous: published, missing } = await intake.plan({ ...about, keys });
    const previous = isFirst ? '' : published;
    const units = files.filter((_, i) => missing.includes(keys[i])).map(uploadOf);
    tell({ step: 'units' });
    if (units.length > 0) await intake.units({ ...about, units });
    tell({ step: 'view' });
    const { outcome } = await intake.view(viewOf(files, { ...about, commit: numberedCommit(number), previous }));
    if (outcome !== 'incomplete') return outcome;
  }
}
