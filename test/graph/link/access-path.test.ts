/** Paths of names with calls between them: which methods without a declaration give what they are called on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphOf, memberUses } from './project.js';

const NAMES = ['map_err', 'or_else', 'context', 'filter', 'try_lock', 'as_ref', 'expect', 'unwrap', 'len', 'nothing'];

/** Names of methods after which a call of `go`, on a line of its own, is one of `Word.go`. */
function handing(files: Record<string, string>, path: string, lineOf: (name: string) => string): string[] {
  const before = files[path].split('\n').length;
  const text = `${files[path]}\n${NAMES.map(lineOf).join('\n')}\n${path.endsWith('.py') ? '' : '}\n'}`;
  const found = memberUses(graphOf({ ...files, [path]: text }), path).filter((use) => use.endsWith(' Word.go'));
  const lines = new Set(found.map((use) => Number(use.split(' ')[0]) - before - 1));
  return NAMES.filter((_, i) => lines.has(i));
}

test('Rust: methods of wrappers and of lists that hand on give what they are called on, others nothing', () => {
  const of = (type: string, after: string) => {
    const code = `pub struct Word { pub n: u8 }\nimpl Word {\n    pub fn go(&self) {}\n}\nfn f(it: ${type}) {`;
    const files = { 'Cargo.toml': '[package]\nname = "p"\n', 'src/lib.rs': code };
    return handing(files, 'src/lib.rs', (name) => `    it.${name}(1)${after}.go();`);
  };
  const all = ['map_err', 'or_else', 'context', 'filter', 'try_lock', 'as_ref', 'expect', 'unwrap'];
  assert.deepEqual(of('Option<Word>', ''), all);
  assert.deepEqual(of('Vec<Word>', '[0]'), all);
  assert.deepEqual(of('Result<Vec<Word>, u8>', '.first()'), all);
});

test('TypeScript and Python: only what many wrappers have hands on an object, and no such name hands on a list', () => {
  const typescript = (type: string, after: string) =>
    handing(
      { 'a.ts': `class Word { go() {} }\nclass Other { go() {} }\nfunction f(it: ${type}) {` },
      'a.ts',
      (name) => `  it.${name}(1)${after}.go();`,
    );
  assert.deepEqual(typescript('Word', ''), ['as_ref', 'expect', 'unwrap']);
  assert.deepEqual(typescript('Word[]', '[0]'), ['filter']);
  const python = (type: string, after: string) =>
    handing(
      { 'a.py': `class Word:\n    def go(self): pass\nclass Other:\n    def go(self): pass\ndef f(it: ${type}):` },
      'a.py',
      (name) => `    it.${name}(1)${after}.go()`,
    );
  assert.deepEqual(python('Word', ''), ['as_ref', 'expect', 'unwrap']);
  assert.deepEqual(python('list[Word]', '[0]'), ['filter']);
});
