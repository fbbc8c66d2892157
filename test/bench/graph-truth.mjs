// How right the graph is, by compilers: `npm run bench -- graph-truth DIR [--index FILE] [--language ID] [--symbols N]
// [--seed N] [--under PREFIX] [--errors N] [--packages NAME,NAME] [--imports] [--apart] [--no-grep] [--json]`. References of random symbols, outside of imports and of
// the definitions themselves, are compared by file and line with those that the front end of a compiler knows: tsc and pyright
// through SCIP, clangd as a language server, go/types, javac, rustc and php-parser by programs of their own. `--apart` takes each overload for a symbol. `--index FILE` keeps the compiler's answers for the next time;
// `--packages` installs what tsc needs to know of packages of npm, such as `type-fest,@types/node`.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commitOf, languageOf, openTruth, versionOf } from './graph-truth-compilers.mjs';
import { judgeImports } from './graph-truth-imports.mjs';
import { GROUPS, judge } from './graph-truth-judge.mjs';
import { installPackages } from './graph-truth-packages.mjs';
import { openProject } from './graph-truth-project.mjs';

const args = process.argv.slice(3);
const FLAGS = ['--json', '--imports', '--apart', '--no-grep'];
const optionOf = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
const isValue = (i) => i > 0 && args[i - 1].startsWith('--') && !FLAGS.includes(args[i - 1]);
const directory = resolve(args.find((arg, i) => !arg.startsWith('--') && !isValue(i)) ?? '.');
const examples = Number(optionOf('--errors', 0));
const options = {
  symbols: Number(optionOf('--symbols', 90)),
  seed: Number(optionOf('--seed', 1)),
  under: optionOf('--under', ''),
  grep: !args.includes('--no-grep'),
};

const work = mkdtempSync(join(realpathSync(tmpdir()), 'socraticode-truth-'));
try {
  const project = await openProject(directory, join(work, 'clone'));
  const packages = optionOf('--packages', '');
  if (packages !== '') installPackages(packages.split(','), join(work, 'packages'), project.directory);
  if (args.includes('--imports')) printImports(judgeImports(project));
  const language = languageOf(project, optionOf('--language'));
  const truth = await openTruth(project, language, resolve(optionOf('--index', join(work, 'index'))), {
    apart: args.includes('--apart'),
  });
  const result = await judge(project, truth, options);
  const { groups, tiers, confidence, confirmed } = result;
  const about = {
    commit: commitOf(project.directory),
    compiler: versionOf(language),
    files: truth.paths.size,
    ...options,
  };
  if (args.includes('--json')) console.log(JSON.stringify({ ...about, groups, tiers, confidence, confirmed }));
  else print(about, result);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function share(part, whole) {
  return whole === 0 ? '   -' : (part / whole).toFixed(3).replace(/^0/, ' ').slice(0, 5).trim().padStart(4);
}

function print(about, { groups, tiers, confidence, causes, confirmed }) {
  console.log(
    `${about.compiler}, ${about.files} files at ${about.commit}; ${about.symbols} symbols a group, seed ${about.seed}\n`,
  );
  console.log(
    '            symbols  unknown of all  sites | used without a proven use | proven: recall precision silent | through others: precision (of) | with possible: recall precision | git grep -w: recall precision',
  );
  for (const group of GROUPS) {
    const { symbols, defined, unknown, sites, used, bare, proven, through, possible, grep } = groups[group];
    const known = through.right + through.aside;
    const all = [proven, possible].reduce(
      (sum, { right, wrong, silent }) => [sum[0] + right, sum[1] + right + wrong + silent],
      [0, 0],
    );
    console.log(
      [
        group.padEnd(11),
        String(symbols).padStart(8),
        `${unknown}/${defined}`.padStart(15),
        String(sites).padStart(7),
        '|',
        `${bare}/${used} ${share(bare, used)}`.padStart(25),
        '|',
        share(proven.found, sites).padStart(14),
        share(proven.right, proven.right + proven.wrong + proven.silent).padStart(9),
        String(proven.silent).padStart(7),
        '|',
        `${share(known, known + through.wrong + through.silent)} (${known + through.wrong + through.silent})`.padStart(
          30,
        ),
        '|',
        share(possible.found, sites).padStart(21),
        share(...all).padStart(9),
        '|',
        share(grep.found, sites).padStart(20),
        share(grep.right, grep.right + grep.wrong).padStart(9),
      ].join(' '),
    );
  }
  shares('evidence of proven uses', tiers);
  shares('stated confidence', confidence);
  if (examples === 0) return;
  if (confirmed > 0)
    console.log(
      `\n${confirmed} of the right uses are missing in the index, and confirmed by the compiler's language service`,
    );
  section('missed, proven', causes.missed);
  section('missed, not even possible', causes.open);
  section('wrong', causes.wrong);
  section('wrong through others', causes.through);
  section('used, but without a proven use', causes.bare);
  section('symbols that the graph does not have', causes.unknown);
}

/** Calibration: how many of the uses that show something are right; those where the compiler knows nothing count as wrong. */
function shares(title, table) {
  console.log(`\n${title}: share right (right, wrong, unknown to the compiler)`);
  for (const [key, { right, wrong, silent }] of Object.entries(table).sort())
    console.log(
      `  ${key.padEnd(16)} ${share(right, right + wrong + silent).padStart(5)}  (${right}, ${wrong}, ${silent})`,
    );
}

function section(title, causes) {
  if (causes.counts.size === 0) return;
  console.log(`\n${title}:`);
  causes.print(examples);
}

function printImports({ counts, wrong, missed, unjudged }) {
  const { right, wrong: bad, missed: lost, external } = counts;
  console.log(
    `imports by tsc: precision ${share(right, right + bad)}, recall ${share(right, right + lost)}; ${external} lead out for both`,
  );
  if (examples === 0) return;
  section('imports that are wrong', wrong);
  section('imports that were missed', missed);
  section('imports not judged', unjudged);
}
