/** Commands that answer from the graph of calls and imports, in one repository. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, given, smallRepo } from './command.js';

const repo = smallRepo();
await given(repo, 'index');

command('graph deps', 'lists what a file imports', async (run) => {
  assert.match((await run(repo, ['src/login.ts'])).stdout, /src\/session\.ts/);
});

command('graph symbol', 'lists callers of each method named, and says which names have no answer', async (run) => {
  const { stdout } = await run(repo, ['rememberToken', 'login', 'nowhere'], { code: 1 });
  const [first, second, problem, ...rest] = stdout.split('\n---\n');
  assert.match(first, /^src\/session\.ts:\d+.*rememberToken[\s\S]*src\/login\.ts/);
  assert.match(second, /^src\/login\.ts:\d+.*login/);
  assert.match(problem, /^no symbol nowhere is defined/);
  assert.deepEqual(rest, []);
});

command('graph references', 'lists uses of a class', async (run) => {
  assert.match((await run(repo, ['SessionStore'])).stdout, /src\/login\.ts/);
});

command('graph definition', 'finds the definition of the name at a line and column', async (run) => {
  const text = readFileSync(join(repo.dir, 'src/login.ts'), 'utf8').split('\n');
  const line = text.findIndex((each) => each.includes('rememberToken'));
  const column = text[line].indexOf('rememberToken') + 1;
  assert.match(
    (await run(repo, [`src/login.ts:${line + 1}:${column}`])).stdout,
    /src\/session\.ts:\d+ {2}\S*rememberToken/,
  );
});

command('rename', 'prints a patch for every file that uses a method', async (run) => {
  const { stdout } = await run(repo, ['SessionStore.rememberToken', 'keepToken']);
  assert.match(stdout, /^\+.*keepToken/m);
  assert.match(stdout, /diff --git a\/src\/login\.ts/);
});

command('graph impact', 'lists what a change of a method reaches', async (run) => {
  assert.match((await run(repo, ['rememberToken'])).stdout, /login/);
});

command('graph flow', 'shows what a function calls', async (run) => {
  assert.match((await run(repo, ['login'])).stdout, /rememberToken/);
});

command('graph path', 'finds the way of calls from one symbol to another', async (run) => {
  assert.match((await run(repo, ['login', 'rememberToken'])).stdout, /rememberToken/);
});

command('graph outline', 'lists the symbols of a file', async (run) => {
  assert.match((await run(repo, ['src/session.ts'])).stdout, /rememberToken method/);
});

command('graph symbols', 'finds symbols by part of a name', async (run) => {
  assert.match((await run(repo, ['token'])).stdout, /SessionStore\.rememberToken/);
});

command('graph stats', 'counts files, symbols and edges', async (run) => {
  assert.match((await run(repo)).stdout, /^files +6: /);
});

command('graph cycles', 'says that no files import each other in circles', async (run) => {
  assert.match((await run(repo, [], { code: 1 })).stdout, /^no files import each other/);
});

command('graph visualize', 'draws the graph as Mermaid', async (run) => {
  assert.match((await run(repo, ['--format', 'mermaid'])).stdout, /^flowchart LR\n/);
});

command('graph status', 'says that the graph is linked', async (run) => {
  await given(repo, 'graph', 'stats');
  assert.match((await run(repo)).stdout, /^state +linked\n/);
});

command('graph remove', 'deletes the linked graph', async (run) => {
  await given(repo, 'graph', 'stats');
  assert.match((await run(repo)).stdout, /^deleted the linked graphs: /);
  assert.match((await run(repo, [], { code: 1 })).stdout, /^no linked graphs/);
});

command('graph diff', 'lists dependencies and exported symbols that a range adds', async (run) => {
  const { stdout } = await run(repo, ['HEAD~1..HEAD']);
  assert.match(stdout, /\+ src\/login\.ts:1 imports src\/session\.ts {2}\+SessionStore/);
  assert.match(stdout, /\+ src\/login\.ts:3 {2}export function login\(user: string\): void/);
  assert.match((await run(repo, ['HEAD..HEAD'], { code: 1 })).stdout, /^no dependency/m);
});

command('graph check', 'lists the imports that break a rule, and fails; those that a range adds alone', async (run) => {
  const checked = smallRepo();
  const rules = [{ from: 'src/login.ts', to: 'src/session.ts', why: 'sessions are made elsewhere' }];
  checked.commit({ '.socraticode.json': JSON.stringify({ graph: { rules } }) }, 'a rule');
  const { stdout } = await run(checked, [], { code: 1 });
  assert.match(stdout, /sessions are made elsewhere\n {2}src\/login\.ts:1 imports src\/session\.ts\n/);
  assert.match((await run(checked, ['--in', 'HEAD~1..'])).stdout, /^no violations, new since HEAD~1 /);
});

command('graph blame', 'names the commit that brought a dependency in', async (run) => {
  const { stdout } = await run(repo, ['src/login.ts', 'src/session.ts']);
  assert.match(
    stdout,
    /^src\/login\.ts -> src\/session\.ts {2}\d uses? now\n {2}appeared \+\d, then \d {2}[0-9a-f]{9} \S+ A U Thor: a login$/m,
  );
  assert.equal((await run(repo, ['src/session.ts', 'src/login.ts'], { code: 1 })).stdout.includes('no use now'), true);
});

command('graph unused', 'lists code that nothing reaches, and what becomes unused without a function', async (run) => {
  const stale = smallRepo();
  stale.commit({ 'src/stale.ts': 'function stale(): void {}\n' }, 'stale');
  assert.match((await run(stale)).stdout, /src\/stale\.ts\n {4}1 stale {2}function, 1 line\n/);
  assert.match((await run(stale, ['--if', 'login'])).stdout, /SessionStore/);
});
