/** The GitHub Action: its steps run here as a runner runs them, with a stand-in for `gh`. It comments only where asked to. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { CLI } from '../support/processes/cli.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';
import { ROOT } from './root.js';

interface Step {
  name: string;
  condition: string;
  env: Record<string, string>;
  run: string;
}

const TEXT = readFileSync(new URL('action.yml', ROOT), 'utf8');
const [HEAD, STEPS] = TEXT.split(/^ {2}steps:\n/m);

/** Defaults of the inputs. */
const INPUTS = Object.fromEntries(
  [...HEAD.matchAll(/^ {2}([\w-]+):\n {4}description: .*\n {4}default: (.*)$/gm)].map(([, name, value]) => [
    name,
    value.replace(/^"|"$/g, ''),
  ]),
);

const steps = STEPS.split(/^ {4}- /m)
  .slice(1)
  .map((text): Step => {
    const env = /^ {6}env:\n((?: {8}.*\n)*)/m.exec(text)?.[1] ?? '';
    const block = /^ {6}run: \|\n([\s\S]*)/m.exec(text)?.[1].replace(/^ {8}/gm, '');
    return {
      name: /^name: (.*)$/m.exec(text)?.[1] ?? '',
      condition: /^ {6}if: (.*)$/m.exec(text)?.[1] ?? 'true',
      env: Object.fromEntries([...env.matchAll(/^ {8}(\w+): (.*)$/gm)].map(([, name, value]) => [name, value])),
      run: block ?? /^ {6}run: (.*)$/m.exec(text)?.[1] ?? '',
    };
  });

/** Values of expressions, by name: `inputs.range`, `github.repository`, `steps.review.outputs.risk`. */
type Values = Record<string, string>;

const evaluate = (expression: string, values: Values): string =>
  expression
    .split('||')
    .map((name) => values[name.trim()] ?? '')
    .find((value) => value !== '') ?? '';

function holds(condition: string, values: Values): boolean {
  return condition.split('&&').every((part) => {
    const [, name, operator, expected] = /^\s*(\S+)(?:\s+([!=]=)\s+'(.*)')?\s*$/.exec(part) ?? [];
    if (operator === undefined) return name === 'true' || evaluate(name, values) !== '';
    return (evaluate(name, values) === expected) === (operator === '==');
  });
}

interface Run {
  code: number;
  ran: string[];
  outputs: Values;
  summary: string;
  /** Calls of `gh`, with the bodies that they sent. */
  calls: string[];
  directory: string;
  /** Output of all steps. */
  log: string;
}

/** `known`: number of a comment that is there already. `review`: text that stands in for every review. */
function runAction(
  inputs: Values,
  context: Values,
  { known = '', review }: { known?: string; review?: string } = {},
): Run {
  const repo = createRepo();
  repo.commit({
    'cart.js': 'export function total(items) {\n  return items.length;\n}\n',
    'app.js': "import { total } from './cart.js';\nconsole.log(total([]));\n",
  });
  repo.commit({ 'cart.js': 'export const nothing = 1;\n' });
  const directory = makeDirectory('runner');
  // A pull request can bring a link in place of a file that is written.
  if (inputs.sarif !== undefined) symlinkSync(join(directory, 'victim'), join(repo.dir, inputs.sarif));
  const program = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    chmodSync(join(directory, name), 0o755);
  };
  const fake = `case "$*" in *--json*) echo '{"risk":{"level":"low"}}' ;; *) cat "${directory}/fake" ;; esac`;
  writeFileSync(join(directory, 'fake'), review ?? '');
  program(
    'git-socraticode',
    `#!/bin/sh\n${review === undefined ? `exec "${process.execPath}" "${CLI}" "$@"` : fake}\n`,
  );
  program(
    'gh',
    `#!/bin/sh\necho "$@" >> "${directory}/calls"\ncase "$*" in *--paginate*) echo "${known}" ;; *) f="\${*##*body=@}"; cat "$f" >> "${directory}/calls" ;; esac\n`,
  );
  const files = { GITHUB_OUTPUT: join(directory, 'output'), GITHUB_STEP_SUMMARY: join(directory, 'summary.md') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const values: Values = { ...context, 'github.action_path': directory };
  for (const [name, value] of Object.entries({ ...INPUTS, ...inputs })) values[`inputs.${name}`] = value;
  const ran: string[] = [];
  let code = 0;
  let log = '';
  for (const { name, condition, env, run } of steps) {
    if (code !== 0 || !holds(condition, values)) continue;
    ran.push(name);
    const own = Object.entries(env).map(([key, value]) => {
      return [key, value.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => evaluate(expression, values))];
    });
    const path = `${directory}${delimiter}${process.env.PATH}`;
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: repo.dir,
      env: { ...process.env, ...files, RUNNER_TEMP: directory, PATH: path, ...Object.fromEntries(own) },
      encoding: 'utf8',
    });
    log += stdout;
    code = status ?? 2;
    if (code > 1) assert.fail(`${name}: ${stderr}`);
    for (const line of readFileSync(files.GITHUB_OUTPUT, 'utf8').split('\n').filter(Boolean)) {
      const at = line.indexOf('=');
      values[`steps.review.outputs.${line.slice(0, at)}`] = line.slice(at + 1);
    }
  }
  const calls = join(directory, 'calls');
  return {
    ...{ code, ran, outputs: values, directory, log },
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    calls: existsSync(calls) ? readFileSync(calls, 'utf8').split('\n') : [],
  };
}

const PULL = { 'github.event.pull_request.number': '7', 'github.repository': 'o/r' };

test('by default it writes a summary and outputs, and neither fails nor comments', () => {
  const { code, ran, summary, outputs, calls } = runAction({ range: 'HEAD~1..HEAD' }, PULL);
  assert.deepEqual([code, ran, calls], [0, ['Install', 'Review'], []]);
  assert.match(summary, /### Certain dangling uses\n\n- `app\.js:2` `total`: total of cart\.js is gone/);
  assert.equal(outputs['steps.review.outputs.risk'], 'high');
});

test('it compares with what was pushed before, fails and writes SARIF where asked to', () => {
  const { code, directory } = runAction(
    { 'fail-on': 'dangling', sarif: 'review.sarif' },
    { 'github.event.before': '0000000000000000000000000000000000000000' },
  );
  assert.equal(code, 1);
  assert.ok(existsSync(join(directory, 'review.json')));
  assert.equal(existsSync(join(directory, 'victim')), false);
});

test('a comment is written once, and then changed', () => {
  const inputs = { range: 'HEAD~1..HEAD', comment: 'true' };
  const first = runAction(inputs, PULL).calls;
  assert.ok(first.some((line) => line.startsWith('api --method POST repos/o/r/issues/7/comments')));
  assert.ok(first.includes('<!-- git-socraticode review -->'));
  const second = runAction(inputs, PULL, { known: '42' }).calls;
  assert.ok(second.some((line) => line.startsWith('api --method PATCH repos/o/r/issues/comments/42')));
  assert.deepEqual(runAction(inputs, {}).calls, [], 'outside of a pull request there is nothing to comment on');
});

test('text of the repository is no command for the runner, and a range is no option and no further output', () => {
  const { log } = runAction({ range: 'HEAD~1..HEAD', 'fail-on': 'high' }, PULL, { review: '::add-mask::x\n' });
  const lines = log.split('\n');
  const [, token] = /^::stop-commands::(.{36})$/m.exec(lines[lines.indexOf('::add-mask::x') - 1]) ?? [];
  assert.ok(token !== undefined && lines.indexOf(`::${token}::`) > lines.indexOf('::add-mask::x'), log);
  for (const range of ['HEAD~1..HEAD\nrisk=none', '--help']) {
    const { code, ran, outputs } = runAction({ range }, PULL);
    assert.deepEqual([code, ran, outputs['steps.review.outputs.risk']], [1, ['Install', 'Review'], undefined]);
  }
});

test('a comment that is too long ends with a whole line', () => {
  const review = '- `@everyone in the name of a file`\n'.repeat(3_000);
  const { calls } = runAction({ range: 'HEAD~1..HEAD', comment: 'true' }, PULL, { review });
  const body = calls.slice(calls.indexOf('<!-- git-socraticode review -->') + 1);
  const [last] = body.splice(body.indexOf('…'));
  assert.equal(last, '…');
  assert.ok(body.length > 1_500 && body.every((line) => line === '' || line === review.split('\n')[0]));
});
