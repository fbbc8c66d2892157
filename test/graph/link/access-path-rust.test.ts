/** Values of names in Rust: where a name begins and ends to count, patterns in patterns, lists, closures, type arguments, blocks of paths. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeLines, graphOf, memberUses } from './project.js';

const CARGO = { 'Cargo.toml': '[package]\nname = "p"\n' };
const TYPES =
  'pub struct Word { pub n: u8 }\nimpl Word {\n    pub fn new() -> Self { Word { n: 1 } }\n    pub fn go(&self) -> bool { true }\n}\n' +
  'pub struct Other { pub n: u8 }\nimpl Other {\n    pub fn go(&self) -> bool { false }\n}\n';
const BEFORE = TYPES.split('\n').length - 1;

/** Lines of the code that use a member of `Word`, `go` if no other is asked for. */
function linesOf(code: string, member = 'Word.go', files: Record<string, string> = {}): number[] {
  const graph = graphOf({ ...CARGO, ...files, 'src/lib.rs': `${TYPES}${code}` });
  return memberUses(graph, 'src/lib.rs')
    .filter((use) => use.endsWith(` ${member}`))
    .map((use) => Number(use.split(' ')[0]) - BEFORE)
    .sort((a, b) => a - b);
}

test('a name has its earlier meaning in its own value, however many lines that has', () => {
  const code =
    'pub struct Pair { a: bool, b: bool }\nfn f(word: Word) -> bool {\n    let word = Pair {\n        a: word.go(),\n        b: true,\n    };\n    word.go()\n}\n';
  assert.deepEqual(linesOf(code), [4]);
});

test('a name that a block, an arm or a condition binds has its earlier meaning behind it', () => {
  const block =
    'fn f(word: Word) {\n    if word.go() {\n        let word = Other { n: 1 };\n        word.go();\n    } else {\n        word.go();\n    }\n    word.go();\n}\n';
  assert.deepEqual(linesOf(block), [2, 6, 8]);
  const arm =
    'pub enum Kind { One(Other), Two }\nfn f(word: Word, kind: Kind) {\n    match kind {\n        Kind::One(word) => word.go(),\n        Kind::Two => word.go(),\n    };\n    if let Kind::One(word) = kind {\n        word.go();\n    }\n    word.go();\n}\n';
  assert.deepEqual(linesOf(arm), [5, 10]);
});

test('on the first line of an arm names mean what its pattern binds', () => {
  const code =
    'pub enum Kind { One(Word), Two(Other) }\nfn f(word: Other, kind: Kind) {\n    match kind {\n        Kind::One(word) if word.go() => {\n            word.go();\n        }\n        Kind::Two(word) => {\n            word.go();\n        }\n        _ => {}\n    }\n}\n';
  assert.deepEqual(linesOf(code), [4, 5]);
});

test('patterns in patterns, and alternatives, bind what the innermost variant holds', () => {
  const code =
    'pub enum Inner { One(Word), Same(Word) }\npub enum Outer { Held(Inner), No }\nfn f(outer: Outer, pair: (Option<Word>, u8)) {\n' +
    '    if let Outer::Held(Inner::One(w)) = &outer {\n        w.go();\n    }\n    match outer {\n        Outer::Held(Inner::One(ref w) | Inner::Same(ref w)) => w.go(),\n        _ => false,\n    };\n' +
    '    if let (Some(w), _) = pair {\n        w.go();\n    }\n}\n';
  assert.deepEqual(linesOf(code), [5, 8, 12]);
});

test('a closure or loop over a map gets its value behind the key, over pairs their parts, over an own iterator what it gives', () => {
  const code =
    'pub struct Bag { map: HashMap<String, Word>, pairs: Vec<(Word, Other)> }\nimpl Bag {\n    fn f(&self) {\n' +
    '        self.map.iter().filter(|(_, w)| w.go());\n        self.map.iter().map(|(_, ref w)| w.go());\n        for (_, w) in &self.map {\n            w.go();\n        }\n' +
    '        self.pairs.iter().map(|(w, o)| w.go());\n        for (i, (w, _)) in self.pairs.iter().enumerate() {\n            w.go();\n        }\n' +
    '        self.pairs.iter().map(|(_, o)| o.go());\n    }\n}\n';
  assert.deepEqual(linesOf(code), [4, 5, 7, 9, 11]);
  const own =
    'pub struct Words;\nimpl Words {\n    pub fn go(&self) {}\n}\nimpl Iterator for Words {\n    type Item = Word;\n    fn next(&mut self) -> Option<Word> { None }\n}\nfn f(words: Words) {\n    words.for_each(|w| w.go());\n}\n';
  assert.deepEqual(linesOf(own), [10]);
});

test('the first element of a list tells its type', () => {
  const code =
    'fn f() {\n    let mut all = vec![Word::new(); 3];\n    all[0].go();\n    let mut more = Vec::new();\n    more.push(Word { n: 1 });\n    for w in &more {\n        w.go();\n    }\n    let mut none = Vec::new();\n    none.push(1);\n    none[0].go();\n}\n';
  assert.deepEqual(linesOf(code), [3, 7]);
});

test('the arm that gives what it holds, and the first branch, tell the value of a match and of a condition', () => {
  const code =
    'fn f(held: Option<Word>, on: bool) {\n    let w = match held {\n        Some(w) => w,\n        None => return,\n    };\n    w.go();\n    let v = if on { Word::new() } else { w };\n    v.go();\n}\n';
  assert.deepEqual(linesOf(code), [6, 8]);
});

test('methods of wrappers that change the error or fill in a value give what is held', () => {
  const code =
    'fn find() -> Option<Word> { None }\nfn read() -> Result<Vec<Word>, u8> { Err(1) }\nfn f() -> Result<(), u8> {\n    find().ok_or(1)?.go();\n    for w in read().map_err(|e| e)?.iter() {\n        w.go();\n    }\n    let all = read().unwrap();\n    for w in all {\n        w.go();\n    }\n    Ok(())\n}\n';
  assert.deepEqual(linesOf(code), [4, 6, 10]);
});

test('type arguments of a call say what a function with type parameters gives, also through a trait of results', () => {
  const code =
    'pub mod shop;\npub trait Pod {}\npub trait Fail<T: Pod> {\n    fn or_fail(self) -> Result<T, u8>;\n}\nimpl<T: Pod> Fail<T> for Option<T> {\n    fn or_fail(self) -> Result<T, u8> { Err(1) }\n}\npub struct Data;\nimpl Data {\n    fn read<T: Pod>(&self) -> Option<T> { None }\n}\n' +
    'fn f(data: Data) -> Result<(), u8> {\n    data.read::<Word>().unwrap().go();\n    data.read::<Word>().or_fail()?.go();\n    data.read::<shop::Till>().unwrap().open();\n    Ok(())\n}\n';
  const files = { 'src/shop.rs': 'pub struct Till;\nimpl Till {\n    pub fn open(&self) {}\n}\n' };
  assert.deepEqual(linesOf(code, 'Word.go', files), [14, 15]);
  assert.deepEqual(linesOf(code, 'Till.open', files), [16]);
});

test('a block may name its type by a path or as `dyn`, and has the type wherever it stands', () => {
  const code =
    'pub mod shop;\nimpl shop::Till {\n    pub fn close(&self) {\n        self.open();\n    }\n}\npub trait Rule {}\nimpl dyn Rule {\n    pub fn check(&self) {}\n}\n' +
    'fn f(till: shop::Till, rule: &dyn Rule) {\n    till.close();\n    rule.check();\n}\n';
  const files = { 'src/shop.rs': 'pub struct Till;\nimpl Till {\n    pub fn open(&self) {}\n}\n' };
  assert.deepEqual(linesOf(code, 'Till.close', files), [12]);
  assert.deepEqual(linesOf(code, 'Till.open', files), [4]);
  assert.deepEqual(linesOf(code, 'Rule.check', files), [13]);
});

test('what a derive writes gives the type itself: a default, and arguments that are read', () => {
  const code =
    '#[derive(Default, Parser)]\npub struct Args { pub n: u8 }\nimpl Args {\n    pub fn paths(&self) {}\n}\n' +
    'fn main() -> Result<()> {\n    Args::default().paths();\n    let args = Args::parse();\n    args.paths();\n' +
    '    let other = Args::try_parse_from(list)?;\n    other.paths();\n    let none = Args::unknown();\n    none.paths();\n    Ok(())\n}\n';
  assert.deepEqual(linesOf(code, 'Args.paths'), [7, 9, 11]);
});

test('of parts of a type with one name, of which a build takes one, each file means its own', () => {
  const part = (n: number) =>
    `use crate::Word;\nimpl Word {\n    pub fn open() -> u8 { ${n} }\n}\npub fn start() -> u8 { Word::open() }\n`;
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs': `#[cfg(a)]\nmod a;\n#[cfg(b)]\nmod b;\n${TYPES}`,
    'src/a.rs': part(1),
    'src/b.rs': part(2),
  });
  const calls = edgeLines(graph).filter((line) => line.includes(':start call'));
  assert.deepEqual(
    calls.map((line) => line.split(' (')[0]),
    ['src/a.rs:start call src/a.rs:Word.open', 'src/b.rs:start call src/b.rs:Word.open'],
  );
});
