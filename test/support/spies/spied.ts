/** Users whose processes `native-spy` looks on, each with a home directory, and so a local key, of their own. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findLocalKey } from '../../../src/base/local-key.js';
import type { Answer } from '../in-process/answer.js';
import { ask } from '../processes/ask.js';
import { makeDirectory, type TestRepo } from '../repositories/repo.js';
import type { Seen } from './native-spy.js';

const SPY = new URL('./native-spy.js', import.meta.url).href;
/** The model that comes with the program is decoded by the same code. */
const MODEL = fileURLToPath(new URL('../../../../model/builtin.bin', import.meta.url));
const SHIPPED = `sections ${createHash('sha256').update(readFileSync(MODEL)).digest('hex')}`;

export class SpiedUser {
  private readonly home = makeDirectory('home');
  private readonly log = join(makeDirectory('spy'), 'log');

  get env(): NodeJS.ProcessEnv {
    const spy = { NODE_OPTIONS: `--import ${SPY}`, SPY_LOG: this.log };
    return { ...spy, HOME: this.home, XDG_STATE_HOME: this.home, SOCRATICODE_VECTORS_INDEX: 'hnsw' };
  }

  ask(repo: TestRepo, questions: readonly string[][]): Promise<Answer[]> {
    return ask(repo.dir, questions, this.env);
  }

  /** Made on the first need. */
  get keyId(): string {
    return findLocalKey({ XDG_STATE_HOME: this.home }).id;
  }

  get key(): Buffer {
    return readFileSync(join(this.home, 'git-socraticode/key'));
  }

  /** The folder of a repository's state that is this user's. */
  folder(repo: TestRepo): string {
    const folder = readdirSync(repo.state).find((name) => name.endsWith(`-${this.keyId}`));
    assert.ok(folder !== undefined, 'no state of this user');
    return folder;
  }

  /** Everything seen so far. */
  seen(): Seen[] {
    let text = '';
    try {
      text = readFileSync(this.log, 'utf8');
    } catch {
      // Nothing at all.
    }
    const lines = text.split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Seen);
  }

  /** How often something was made. */
  made(): number {
    return this.seen().filter(({ how }) => how === 'made').length;
  }

  /** Everything given to a decoder was made by this user's processes; says how much it was. */
  assertOwn(scenario: string): number {
    const seen = this.seen();
    const made = new Set(seen.filter(({ how }) => how === 'made').map(({ what, digest }) => `${what} ${digest}`));
    const given = seen.filter(({ how, what, digest }) => how === 'given' && `${what} ${digest}` !== SHIPPED);
    const strange = given.filter(({ what, digest }) => !made.has(`${what} ${digest}`));
    assert.deepEqual(strange, [], `${scenario}: given, but made by somebody else`);
    const calls = seen.filter(({ how }) => how === 'call');
    assert.deepEqual(calls, [], scenario);
    return given.length;
  }
}
