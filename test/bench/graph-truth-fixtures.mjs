// Recall and precision of references by language, against uses that were listed by hand (fixtures/truth):
// `npm run bench -- graph-truth --fixtures [LANGUAGE…] [--differences]`. Compiles the tests first.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);
const COMPILER = ['node_modules/typescript/bin/tsc', '-p', 'test/tsconfig.json'];
execFileSync(process.execPath, COMPILER, { cwd: fileURLToPath(ROOT), stdio: 'inherit' });

const { judge, tableOf, truthLanguages } = await import(
  new URL('build/test/support/in-process/fixture-truth.js', ROOT).href
);
const named = process.argv.slice(3).filter((arg) => !arg.startsWith('--'));
const rows = truthLanguages()
  .filter((language) => named.length === 0 || named.includes(language))
  .flatMap((language) => judge(language));
for (const line of tableOf(rows)) console.log(line);
if (process.argv.includes('--differences'))
  for (const { differences } of rows) for (const line of differences) console.log(line);
