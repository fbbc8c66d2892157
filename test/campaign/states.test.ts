/** R7: whatever becomes of a repository, and whatever shape it has, answers are those of one that is indexed from nothing. */
import assert from 'node:assert/strict';
import { campaign } from '../support/campaigns/campaign.js';
import {
  type Answers,
  Asker,
  askCommands,
  askOnce,
  askServer,
  comparable,
  FAILED,
  FEW,
  QUESTIONS,
  shareParsers,
} from '../support/campaigns/states/asker.js';
import { applies, OPERATIONS, type Operation } from '../support/campaigns/states/operations.js';
import { SHAPES } from '../support/campaigns/states/shapes.js';
import type { World } from '../support/campaigns/states/world.js';
import { pick } from '../support/generated/random.js';
import { startServer, type TestServer } from '../support/servers/mcp.js';

/** More differences say nothing new. */
const MAX_SHOWN = 12;

class Comparison {
  states = 0;
  answers = 0;
  /** Errors that both gave. */
  refusals = 0;
  private readonly wrong: string[] = [];
  private readonly shown = new Set<string>();

  constructor(private readonly note: (text: string) => void) {}

  compare(who: string, seen: Answers, wanted: Answers): void {
    for (const [name, answer] of Object.entries(seen)) {
      const expected = wanted[name] ?? wanted.opened;
      this.answers++;
      if (typeof answer === 'string') this.refusals++;
      if (answer === FAILED && typeof expected === 'string') continue;
      try {
        assert.deepEqual(answer, expected);
      } catch (error) {
        this.add(`${who}: ${name}`, (error as Error).message);
      }
    }
  }

  /** Git itself says where HEAD is, and how many files differ from it. */
  check(who: string, world: World, answers: Answers): void {
    this.states++;
    const status = answers.status as { commit: string | null; dirty: number } | string | undefined;
    if (typeof status !== 'object') return;
    const commit = world.git('rev-parse', '--verify', '-q', 'HEAD^{commit}') || null;
    if (status.commit !== commit) this.add(`${who}: HEAD`, `${status.commit} instead of ${commit}`);
  }

  private add(where: string, what: string): void {
    this.wrong.push(`${where}\n${what}`);
    if (!this.shown.has(what)) this.note(`${where}\n${what}`);
    this.shown.add(what);
  }

  end(): void {
    assert.equal(this.wrong.length, 0, `${this.wrong.length} wrong:\n${this.wrong.slice(0, MAX_SHOWN).join('\n\n')}`);
  }
}

const available = SHAPES.filter(({ skip }) => skip === undefined);
interface Staying {
  asker: Asker | null;
  server: TestServer | null;
}

const isRefused = ({ opened }: Answers) => opened !== undefined;

campaign(
  'states',
  {
    bar: 'R7',
    claim: 'in every state of a repository, the answer equals that of a fresh index or says what it lacks',
    // Every eighth of the operations and shapes: the whole table takes two minutes. `product=4`: after every shape every fourth.
    short: { every: 8, product: 0, sequences: 0, steps: 0, serverEvery: 3 },
    long: { every: 1, product: 1, sequences: 20, steps: 10, serverEvery: 1 },
  },
  async ({ size, random, isLong, t, note }) => {
    t.after(shareParsers());
    const comparison = new Comparison(note);
    const questions = isLong ? QUESTIONS : FEW;
    const operationsFor = (world: World) => OPERATIONS.filter((operation) => applies(operation, world));
    const oneOf = (world: World) => pick(random, operationsFor(world));

    /** What processes that stay, or begin now, say after an operation, beside what a fresh index says. */
    const step = async (world: World, operation: Operation, staying: Staying) => {
      const who = `${world.shape}, ${operation.name}`;
      operation.run(world);
      const wanted = await askOnce(world.copy(), questions);
      const { server, asker } = staying;
      if (server !== null)
        comparison.compare(`${who} (server)`, await askServer(server, questions), comparable(wanted));
      const seen = asker === null ? await askOnce(world, questions) : await asker.answers(questions);
      comparison.compare(who, seen, wanted);
      comparison.check(who, world, seen);
      note(`${who}: ${comparison.answers} answers`);
    };

    // Every operation, with processes that stay.
    const normal = SHAPES[0].make();
    await askOnce(normal, questions);
    const asker = await Asker.open(normal.dir);
    const server = await startServer(t, normal.dir);
    const some = <T>(list: readonly T[]): T[] => list.filter((_, i) => i % size.every === 0);
    for (const [i, operation] of some(OPERATIONS).entries())
      await step(normal, operation, { asker, server: (i + 1) % size.serverEvery === 0 ? server : null });
    asker.close();
    await server.close();

    // Every shape: as it is, after one operation (or all of them), and by commands.
    for (const [at, shape] of some(available).entries()) {
      const world = shape.make();
      const before = await askOnce(world, questions);
      comparison.compare(`${shape.name}, as made`, before, await askOnce(world.copy(), questions));
      const nth = (_: Operation, i: number) => (i + at) % size.product === 0;
      const operations = size.product > 0 && !isRefused(before) ? operationsFor(world).filter(nth) : [oneOf(world)];
      for (const operation of operations) await step(world, operation, { asker: null, server: null });
      if (isLong || world.env.GIT_DIR !== undefined)
        comparison.compare(
          `${shape.name} (commands)`,
          await askCommands(world, questions),
          comparable(await askOnce(world, questions)),
        );
    }

    for (let i = 0; i < size.sequences; i++) {
      const world = pick(random, available).make();
      await askOnce(world, questions);
      // No server is started on what variables lead to.
      const led = world.env.GIT_DIR !== undefined;
      const staying = led ? null : await startServer(t, world.dir, { env: world.env });
      for (let n = 0; n < size.steps; n++) await step(world, oneOf(world), { asker: null, server: staying });
      await staying?.close();
    }
    comparison.end();
    const { states, answers, refusals } = comparison;
    const skipped = SHAPES.filter(({ skip }) => skip !== undefined).map(({ name, skip }) => `${name} (${skip})`);
    return {
      ...{ operations: OPERATIONS.length, shapes: available.length, 'not tried': skipped.join(', ') || 'nothing' },
      ...{ states, 'answers compared': answers, 'refusals among them': refusals, wrong: 0 },
    };
  },
);
