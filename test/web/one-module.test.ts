/** Compiled modules joined into one: each is evaluated once, before those that need it, with its names for itself. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { joinModules } from '../../src/web/one-module.js';

function join(files: Readonly<Record<string, string>>): string {
  const find = (from: string, name: string) => (name.startsWith('.') ? posix.join(posix.dirname(from), name) : name);
  return joinModules('/main.js', { find, read: (path) => files[path] });
}

/** What the joined module leaves in `log`. */
async function ran(files: Readonly<Record<string, string>>): Promise<unknown[]> {
  const code = `export const log = [];\n${join(files)}`;
  const { log } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { log: unknown[] };
  return log;
}

test('names of modules do not meet, and a module that two need is evaluated once', async () => {
  const log = await ran({
    '/main.js':
      "import { a } from './a.js';\nimport { two, b as other } from './b/b.js';\nlog.push(a(), other, new two().own);\n",
    '/a.js': "import { lib } from 'library';\nconst own = 'a';\nexport function a() {\n  return own + lib;\n}\n",
    '/b/b.js':
      "import { a } from '../a.js';\nimport {\n  lib,\n} from 'library';\nconst own = 'b';\nexport const b = own + a() + lib;\nexport class two {\n  own = own;\n}\n",
    library: "log.push('once');const x='$&';export{x as lib};",
  });
  assert.deepEqual(log, ['once', 'a$&', 'ba$&$&', 'b']);
});

test('a cycle and an unknown form are refused instead of joined wrongly', () => {
  assert.throws(
    () => join({ '/main.js': "import { a } from './a.js';\n", '/a.js': "import { x } from './main.js';\n" }),
    /imports itself/,
  );
  for (const text of [
    "import * as a from './a.js';\n",
    "export * from './a.js';\n",
    'export default 1;\n',
    'export let a = 1;\n',
  ])
    assert.throws(
      () => join({ '/main.js': "import { a } from './x.js';\n", '/x.js': text }),
      /another import or export/,
      text,
    );
});
