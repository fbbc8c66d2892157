import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'node:test';

const MODULE = new URL('../../src/base/tiering.js', import.meta.url).href;

/** Runs with a `setFlagsFromString` of V8, so each case has a process of its own. */
function inProcess(version: string, code: string): { flags: string[]; stderr: string } {
  const script = `
    import v8 from 'node:v8';
    import { syncBuiltinESMExports } from 'node:module';
    const flags = [];
    const set = v8.setFlagsFromString;
    v8.setFlagsFromString = (flag) => { flags.push(flag); if (process.versions.node === '${process.versions.node}') set(flag); };
    syncBuiltinESMExports();
    Object.defineProperty(process.versions, 'node', { value: '${version}' });
    const { delayOptimisation, compileEagerly, keepBaselineWasm } = await import('${MODULE}');
    ${code}
    console.log(JSON.stringify(flags));`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
  return { flags: JSON.parse(ran.stdout), stderr: ran.stderr };
}

const ALL = 'delayOptimisation(); compileEagerly(); keepBaselineWasm();';

test('V8 of this Node knows each flag that is set, so no command starts with an error', () => {
  const { flags, stderr } = inProcess(process.versions.node, ALL);
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of flags) assert.match(known, new RegExp(`^ *${flag.split('=')[0]} `, 'm'));
  assert.equal(stderr, '');
});

test('versions whose V8 counts calls keep their own budget, and versions nobody tried get no flag', () => {
  assert.ok(inProcess('20.20.2', ALL).flags.some((flag) => flag.startsWith('--interrupt-budget=')));
  for (const version of ['22.23.3', '24.21.0', '26.10.0'])
    assert.deepEqual(inProcess(version, ALL).flags, ['--always-sparkplug', '--liftoff-only'], version);
  assert.deepEqual(inProcess('28.0.0', ALL).flags, []);
});
