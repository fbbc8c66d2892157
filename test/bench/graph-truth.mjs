// How right the graph is, by the TypeScript compiler: `npm run bench -- graph-truth DIR [--errors N] [--functions N] [--seed N] [--under PREFIX] [--json]`.
// Imports of every script against the compiler's module resolution; calls of random functions against the references that
// the language service finds. Nothing is installed, so that types of packages are unknown to both.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { judgeCalls } from './graph-truth-calls.mjs';
import { judgeImports } from './graph-truth-imports.mjs';
import { openProject } from './graph-truth-project.mjs';

const args = process.argv.slice(3);
const optionOf = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
const directory = resolve(args.find((arg, i) => !arg.startsWith('--') && !(args[i - 1] ?? '').startsWith('--')) ?? '.');
const examples = Number(optionOf('--errors', 3));
const options = {
  functions: Number(optionOf('--functions', 200)),
  seed: Number(optionOf('--seed', 1)),
  under: optionOf('--under', ''),
};

const share = (part, rest) => (part + rest === 0 ? 1 : part / (part + rest));
const percent = (value) => value.toFixed(4);
const work = mkdtempSync(join(realpathSync(tmpdir()), 'socraticode-truth-'));
try {
  const project = await openProject(directory, join(work, 'clone'));
  const imports = judgeImports(project);
  const calls = judgeCalls(project, options);
  const figures = {
    imports: {
      ...imports.counts,
      precision: share(imports.counts.right, imports.counts.wrong),
      recall: share(imports.counts.right, imports.counts.missed),
    },
    calls: {
      ...calls.counts,
      precision: share(calls.counts.right, calls.counts.wrong),
      recall: share(calls.counts.found, calls.counts.missed),
    },
  };
  if (args.includes('--json')) console.log(JSON.stringify(figures));
  else print(figures, imports, calls);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function print({ imports: i, calls: c }, imports, calls) {
  console.log(`imports: precision ${percent(i.precision)}, recall ${percent(i.recall)}`);
  console.log(
    `  ${i.right} right, ${i.wrong} wrong, ${i.missed} missed; ${i.external} lead out of the repository for both`,
  );
  section('imports that are wrong', imports.wrong);
  section('imports that were missed', imports.missed);
  section('imports not judged', imports.unjudged);
  console.log(
    `\ncalls of ${c.functions} random functions (${c.callers} have callers; seed ${options.seed}): precision ${percent(c.precision)}, recall ${percent(c.recall)}`,
  );
  console.log(
    `  ${c.right} right, ${c.wrong} wrong, ${c.found} found, ${c.missed} missed; no package is installed: types from outside are unknown to both`,
  );
  section('calls that are wrong', calls.wrong);
  section('calls that were missed', calls.missed);
  section('not counted', calls.aside);
}

function section(title, causes) {
  if (causes.counts.size === 0) return;
  console.log(`\n${title}:`);
  causes.print(examples);
}
