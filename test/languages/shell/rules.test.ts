import assert from 'node:assert/strict';
import { test } from 'node:test';
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
