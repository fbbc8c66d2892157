/** Files in UTF-16 and in single-byte encodings are found and shown as text, committed or not. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answer } from '../support/in-process/answer.js';
import { createRepo } from '../support/repositories/repo.js';

const wide = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const SQL = 'CREATE TABLE wide_orders (id int);\r\nGO\r\n';
const CSHARP = 'class Größe {\r\n  // ein Café\r\n  public int SendWide() { return 1; }\r\n}\r\n';
const JAVA = '// Größe\nclass Latin {\n  String s = "café";\n  int länge() { return 1; }\n}\n';

const repo = createRepo();
repo.commit({ 'orders.sql': wide(SQL), 'Mail.cs': wide(CSHARP).swap16(), 'Latin.java': Buffer.from(JAVA, 'latin1') });
const ask = async (...args: string[]) => (await answer(['-C', repo.dir, ...args])).stdout;

test('definitions in UTF-16 and Latin-1 have their names and lines', async () => {
  assert.match(await ask('graph', 'outline', 'Mail.cs'), /^ 1-4 Größe class\n {2}3 SendWide method\n/m);
  assert.match(await ask('graph', 'outline', 'Latin.java', '--all'), /^ 2-5 Latin class\n(.*\n)? {2}4 länge method\n/m);
  assert.match(await ask('graph', 'outline', 'orders.sql'), /^ 1.* wide_orders table$/m);
});

test('search finds and prints them in UTF-8', async () => {
  assert.match(await ask('search', 'SendWide'), /^Mail\.cs:.*\n(.*\n)*3: {2}public int SendWide\(\) \{ return 1; \}$/m);
  assert.match(await ask('search', 'länge'), /^Latin\.java:.*\n(.*\n)*3: {2}String s = "café";$/m);
});

test('grep finds what a search for bytes would not, with the symbol around it', async () => {
  assert.match(await ask('grep', 'Caf.'), /^Mail\.cs\n Größe\n2: {2}\/\/ ein Café$/m);
  assert.match(await ask('grep', '-F', 'café'), /^Latin\.java\n Latin\.s\n3: {2}String s = "café";$/m);
  assert.match(await ask('grep', '^GO\\b'), /^orders\.sql\n2:GO/m);
});

test('show prints UTF-8', async () => {
  assert.equal(
    (await ask('show', 'Mail.cs:2-3')).split('\n').slice(1, 3).join('\n'),
    '2:  // ein Café\n3:  public int SendWide() { return 1; }',
  );
  assert.match(await ask('show', 'Latin.länge'), /^4: {2}int länge\(\) \{ return 1; \}$/m);
});

test('uncommitted files are read alike, and a record from such a file is believed', async () => {
  await ask('index');
  writeFileSync(join(repo.dir, 'Fresh.cs'), wide(CSHARP.replace('SendWide', 'SendFresh')));
  writeFileSync(join(repo.dir, 'Latin.java'), Buffer.from(JAVA.replace('länge', 'höhe'), 'latin1'));
  assert.match(await ask('search', 'SendFresh'), /^Fresh\.cs:/);
  assert.match(await ask('grep', '-F', 'SendFresh'), /^Fresh\.cs {2}\(uncommitted\)\n Größe\.SendFresh\n3:/);
  assert.match(await ask('show', 'höhe'), /^4: {2}int höhe\(\)/m);
  assert.match(await ask('fsck'), /no problems|nothing is wrong|0 problems|ok/i);
});

test('a file of the work tree is in the encoding that .gitattributes names', async () => {
  const japanese = Buffer.from([0x8a, 0xd6, 0x90, 0x94]);
  const script = (body: Buffer) =>
    Buffer.concat([Buffer.from('def kansuu():\n    return "'), body, Buffer.from('"\n')]);
  repo.write({ '.gitattributes': '*.py working-tree-encoding=SHIFT-JIS\n*.cs16 working-tree-encoding=UTF-16LE\n' });
  writeFileSync(join(repo.dir, 'jp.py'), script(japanese));
  writeFileSync(join(repo.dir, 'bare.cs16'), Buffer.from('wide ohne Marke: größer\n', 'utf16le'));
  for (const state of ['uncommitted', 'committed']) {
    assert.match(await ask('grep', '-F', '関数'), /^jp\.py.*\n kansuu\n2: {4}return "関数"$/m, state);
    assert.match(await ask('show', 'jp.py'), /^2: {4}return "関数"$/m, state);
    assert.match(await ask('search', 'größer'), /^bare\.cs16:.*\n(.*\n)*1:wide ohne Marke: größer$/m, state);
    repo.commit();
  }
});
