import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../extract/helpers.js';
import { relationLines } from '../relations-lines.js';

const SOURCE = `source "$(dirname "$0")/lib.sh"
. ./other.sh

main() {
  local name="$1"
  if check "$name" | grep -q x; then
    result=$(compute 1)
  fi
  trap cleanup EXIT
  "$name" run
}

cleanup() { rm -f x; }
main "$@"
`;

test('bash: sourced files and commands that may be functions', () => {
  const { imports, references, bindings } = relationLines(SOURCE, 'bash');
  assert.deepEqual(imports, ['include $(dirname "$0")/lib.sh []', 'include ./other.sh []']);
  assert.deepEqual(references, ['main: call check', 'main: call compute', 'main: value cleanup', ': call main']);
  assert.deepEqual(bindings, []);
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: expansions of a shell.
/** Names of functions behind each form of zsh: none is lost, whatever stands before it. */
const ZSH = [
  'one() { ls $1 }',
  'function two { ls "$@" | sort }',
  'three() {}',
  'four() { ; }',
  'five() {ls}',
  'six() { ls &| }',
  'if [[ $OS == (lin*|<5->|[a-z]#) ]] { six() { ls } } elif (( $+commands[ls] )) { : } else { : }',
  'for file name ($list) { ls $file }',
  'for file (a b); do ls $file; done',
  'repeat 3 { ls }',
  '() { local x=$1; seven() { ls } } "$@"',
  'function { ls }',
  'function eight other { ls }',
  'list=(${(f)"$(nine)"} *.zsh(N) ${${(%):-%N}:h})',
  'list=({a,b} c)\neleven() { ls }',
  'cache[$dir/$1]="$list[(I)x*]:$#list"',
  'case $1 in (a|b)*) ls ;| <1-9>) ls ;; esac',
  'for key value in ${(kv)table}; do ls; done',
  '{ ls } always { ls }',
  'ten() {\n  while (( ++i < $#list )) { ls }\n}',
];

test('bash: functions of zsh are found behind each form that only zsh knows', () => {
  for (const form of ZSH) {
    const text = `${form}\nlast() {\n  ls\n}\n`;
    const { symbols } = factsOf(text, 'bash');
    const wanted = [...text.matchAll(/(?<![\w$])(\w+)\(\) ?\{|function (\w+)/g)].map((match) => match[1] ?? match[2]);
    const found = symbols.filter(({ kind }) => kind === 'function').map(({ name }) => name);
    assert.deepEqual(found, wanted, form);
    assert.equal(symbols.at(-1)?.startLine, text.split('\n').length - 3, form);
  }
});

test('bash: what zsh says about a list leaves the commands in it as calls', () => {
  const { references } = relationLines('list=(${(f)"$(nine a)"})\nfunction f() { g | h }\n', 'bash');
  assert.deepEqual(references, ['list: call nine', 'f: call g', 'f: call h']);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: until here.
