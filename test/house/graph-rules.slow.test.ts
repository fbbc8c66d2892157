/** The rules of `.socraticode.json` say what the layer table of `src/README.md` says, and `graph check` finds them kept. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { GraphRule } from '../../src/config/rules.js';
import { answerCheck } from '../../src/questions/graph/check/answer.js';
import { Session } from '../../src/session/session.js';
import { askerOf } from '../support/in-process/asker.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { ROOT } from './root.js';

const at = (path: string): string => fileURLToPath(new URL(path, ROOT));
const SETTINGS_FILE = '.socraticode.json';
const WHY = 'src/README.md says which folder may import which';

/** One rule for each row of the table, and the exception that the text above it makes for types of documents. */
function rulesOfTable(): GraphRule[] {
  const guide = readFileSync(at('src/README.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| *`(\w+)` *\|[^|]*\|([^|]*)\|[^|]*\|$/gm)];
  const rules = rows.map(([, folder, cell]) => ({
    from: [`src/${folder}/**`],
    only: [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => `src/${name}/**`),
    why: WHY,
  }));
  const shapes: GraphRule = {
    from: ['src/**'],
    to: ['output', 'shared-output', 'question'].map((name) => `src/questions/**/${name}.ts`),
    ...{ imports: 'types', allow: true },
  };
  const entry: GraphRule = {
    ...{ from: ['src/base/processes.ts'], to: ['src/cli/main.ts'], allow: true },
    why: 'it names the file, and does not load it',
  };
  return [...rules, shapes, { from: ['src/**'], cycles: false, imports: 'static' }, entry];
}

test('the rules are those of the layer table', () => {
  const text = readFileSync(at(SETTINGS_FILE), 'utf8');
  const settings = JSON.parse(text) as { graph?: { rules: GraphRule[] } };
  const rules = rulesOfTable();
  assert.ok(rules.length > 15);
  if (process.env.UPDATE_FIXTURES) {
    settings.graph = { rules };
    writeFileSync(at(SETTINGS_FILE), `${JSON.stringify(settings, null, 2)}\n`);
  }
  assert.deepEqual(settings.graph?.rules, rules);
});

function sourceRepo(): TestRepo {
  const repo = createRepo();
  cpSync(at('src'), join(repo.dir, 'src'), { recursive: true });
  const { graph } = JSON.parse(readFileSync(at(SETTINGS_FILE), 'utf8')) as object & { graph: unknown };
  repo.commit({ [SETTINGS_FILE]: JSON.stringify({ graph }) }, 'the source');
  return repo;
}

test('the source keeps its rules, and an import that breaks one is found', async (t) => {
  const repo = sourceRepo();
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const kept = await answerCheck(askerOf(session), { committed: true });
  assert.deepEqual([kept.violations.list, kept.unmatched], [[], []]);
  assert.ok(kept.dependencies > 1_000, `${kept.dependencies} dependencies`);
  const path = 'src/git/objects.ts';
  repo.write({ [path]: `import { Session } from '../session/session.js';\n${readFileSync(at(path), 'utf8')}` });
  const { violations } = await answerCheck(askerOf(session), { in: 'HEAD..' });
  const broken = violations.list.map(({ form, from, line, to }) => `${form} ${from}:${line} ${to}`);
  assert.ok(broken.includes(`only ${path}:1 src/session/session.ts`), broken.join('\n'));
  assert.ok(
    broken.some((text) => text.startsWith('cycles ')),
    'it closes a circle, too',
  );
});
