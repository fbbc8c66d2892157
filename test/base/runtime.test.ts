import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { outputOf } from '../support/processes/output.js';
import { makeDirectory } from '../support/repositories/repo.js';

const PARSER = new URL('../../src/extract/extract.js', import.meta.url).href;
const MODULE = new URL('../../src/base/runtime.js', import.meta.url).href;

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
  for (const flag of flags) assert.match(known, new RegExp(`^ *${flag.split('=')[0].replace('--no-', '--')} `, 'm'));
  assert.equal(stderr, '');
});

test('versions whose V8 counts calls keep their own budget, and versions nobody tried get no flag', () => {
  assert.ok(inProcess('20.20.2', ALL).flags.some((flag) => flag.startsWith('--interrupt-budget=')));
  for (const version of ['22.23.3', '24.21.0', '26.10.0'])
    assert.deepEqual(
      inProcess(version, ALL).flags,
      ['--always-sparkplug', '--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'],
      version,
    );
  assert.deepEqual(inProcess('28.0.0', ALL).flags, []);
});

/** Kilobytes: a parser of the program is ended at 512 MB, and its file is then cut by lines. */
test('a long file is parsed by baseline code, whatever Node runs: optimising the grammar takes 600 MB', () => {
  const script = `
    const { extract, loadRules } = await import('${PARSER}');
    await loadRules('markdown');
    const text = Array.from({ length: 3_000 }, (_, i) => '## Version ' + i + '\\n\\n- Mend [link ' + i + '](https://e.org/' + i + ') of \\x60name\\x60 (**bold**)\\n').join('\\n');
    if ('skip' in extract(Buffer.from(text), 'markdown')) throw new Error('skipped');
    console.log(process.resourceUsage().maxRSS);`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.ok(Number(ran.stdout) > 0 && Number(ran.stdout) < 300_000, `${ran.stdout} KB ${ran.stderr}`);
});

/**
 * A process that computes without a pause, after `prologue`, until half a second after it got Ctrl-C. Resolves to its end and what it
 * printed.
 */
async function interruptedWhileComputing(prologue: string, epilogue: string) {
  const over = join(makeDirectory(), 'over');
  const script = `import { existsSync } from 'node:fs';
    import { holdSignals, stopHeldWork } from ${JSON.stringify(MODULE)};
    stopHeldWork((signal) => process.stdout.write('heard ' + signal));
    ${prologue}
    process.stdout.write('computes ');
    while (!existsSync(${JSON.stringify(over)}));
    ${epilogue}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' });
  child.stdout.once('data', () => {
    child.kill('SIGINT');
    setTimeout(() => writeFileSync(over, ''), 500);
  });
  const { code, signal, stdout } = await outputOf(child);
  return { code, signal, stdout };
}

test('a signal ends a process that computes, unless something is held, which it hears of even if that is over by then', async () => {
  const atOnce = { code: null, signal: 'SIGINT', stdout: 'computes ' };
  assert.deepEqual(await interruptedWhileComputing('', ''), atOnce);
  assert.deepEqual(
    await interruptedWhileComputing('holdSignals()(); await new Promise((next) => setTimeout(next, 20));', ''),
    atOnce,
  );
  const heard = { code: 0, signal: null, stdout: 'computes heard SIGINT' };
  assert.deepEqual(await interruptedWhileComputing('const release = holdSignals();', 'release();'), heard);
  // Work that is over twice takes no hold from other work.
  const others = 'const release = holdSignals(); const other = holdSignals(); other(); other();';
  const later = `${others} await new Promise((next) => setTimeout(next, 20));`;
  assert.deepEqual(await interruptedWhileComputing(later, 'release();'), heard);
});
