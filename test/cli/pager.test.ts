/** Colours and the pager: what the command line, the environment and git's settings say, in git's order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLong, page, pagerOf } from '../../src/cli/pager.js';
import { wantsColor } from '../../src/questions/writing/pen.js';
import { fakeIo } from './io.js';

type Scope = 'system' | 'global' | 'local' | 'worktree' | 'command';
const setting = (key: string, value: string, scope: Scope = 'global') => ({ key, value, scope, origin: 'file:x' });
const AUTO = { pager: true };

test('colours: --color, then the environment, then color.socraticode and color.ui, then the terminal', () => {
  const colored = (isTTY: boolean, env: NodeJS.ProcessEnv, config = [setting('a.b', 'c')], color?: string) =>
    wantsColor(fakeIo(env, isTTY), color, config);
  assert.equal(colored(true, {}), true);
  assert.equal(colored(false, {}), false);
  assert.equal(colored(true, {}, [setting('color.ui', 'false')]), false);
  assert.equal(colored(false, {}, [setting('color.ui', 'always')]), true);
  assert.equal(colored(true, {}, [setting('color.ui', 'never'), setting('color.socraticode', 'auto')]), true);
  assert.equal(colored(true, {}, [setting('color.ui', 'never'), setting('color.ui', 'auto', 'local')]), true);
  assert.equal(colored(false, { FORCE_COLOR: '1' }, [setting('color.ui', 'never')]), true);
  assert.equal(colored(true, { NO_COLOR: '1' }, [setting('color.ui', 'always')]), false);
  assert.equal(colored(true, { NO_COLOR: '1' }, [], 'always'), true);
  assert.equal(colored(true, { FORCE_COLOR: '1' }, [], 'never'), false);
  assert.equal(colored(true, {}, [setting('color.ui', 'never')], 'auto'), true);
  assert.equal(colored(false, { GIT_PAGER_IN_USE: 'true' }), true);
  assert.equal(colored(false, { GIT_PAGER_IN_USE: 'true' }, [setting('color.pager', 'no')]), false);
  assert.throws(() => colored(true, {}, [], 'sometimes'), /--color takes auto, always, never, not "sometimes"/);
});

test('the pager is the one that git would take, and never one that the repository names', () => {
  const pager = (env: NodeJS.ProcessEnv, config: ReturnType<typeof setting>[] = [], look = AUTO, isTTY = true) =>
    pagerOf(fakeIo(env, isTTY), look, config);
  assert.equal(pager({}), 'less');
  assert.equal(pager({ PAGER: 'more' }), 'more');
  assert.equal(pager({ PAGER: 'more' }, [setting('core.pager', 'delta')]), 'delta');
  assert.equal(pager({ GIT_PAGER: 'bat' }, [setting('core.pager', 'delta')]), 'bat');
  assert.equal(pager({ GIT_PAGER: 'bat' }, [setting('pager.socraticode', 'less -S')]), 'less -S');
  for (const scope of ['local', 'worktree'] as const)
    for (const key of ['core.pager', 'pager.socraticode'])
      assert.equal(pager({}, [setting(key, 'touch /tmp/owned', scope)]), 'less', `${key}, ${scope}`);
  assert.equal(pager({}, [setting('pager.socraticode', 'false', 'local')]), null);
  for (const none of ['', 'cat']) assert.equal(pager({ GIT_PAGER: none }), null);
  assert.equal(pager({}, [], { pager: false }), null);
  assert.equal(pager({}, [], AUTO, false), null);
  assert.equal(pager({ TERM: 'dumb' }), null);
});

test('a text is long if it has as many lines as the screen', () => {
  assert.equal(isLong('x\n'.repeat(9), { rows: 10 }), false);
  assert.equal(isLong('x\n'.repeat(10), { rows: 10 }), true);
  assert.equal(isLong('x\n'.repeat(24), {}), true);
});

test('a pager that is left early or not there is no failure', async () => {
  const text = 'line\n'.repeat(200_000);
  assert.equal(await page(text, 'head -n 1 > /dev/null', process.env), true);
  assert.equal(await page(text, 'exec no-such-pager-here 2>/dev/null', process.env), false);
});
