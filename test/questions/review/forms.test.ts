/** A review as SARIF and as Markdown: what scanners and pull requests need, and nothing that a repository could smuggle in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { reviewSarif, reviewText } from '../../../src/questions/review/answer.js';
import { questions, type ReviewDocument } from '../../../src/questions/review/question.js';
import { changed } from '../../support/in-process/changes.js';

const review = await changed(
  {
    'a b/cart.ts':
      'export function total(a: number) {\n  return a;\n}\nexport function sum(a: number) {\n  return a + 1;\n}\n',
    'app.ts': "import { sum, total } from './a b/cart';\nexport const x = total(1) + sum(1);\n",
  },
  { 'a b/cart.ts': 'export function sum(a: number, b: number) {\n  return a + b;\n}\n' },
);

const reviewMarkdown = (document: ReviewDocument): string =>
  reviewText(document, { pen: plainPen(COMMAND_WORDS), values: { format: 'markdown' } as never });

test('SARIF 2.1.0: rules, levels, places relative to the repository', () => {
  const log = JSON.parse(reviewSarif(review));
  assert.deepEqual([log.version, log.runs.length], ['2.1.0', 1]);
  const [{ tool, results }] = log.runs;
  assert.equal(tool.driver.name, 'git-socraticode');
  for (const { ruleId, ruleIndex, level, message, locations } of results) {
    assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
    assert.ok(['error', 'warning', 'note'].includes(level));
    assert.equal(typeof message.text, 'string');
    const [{ physicalLocation }] = locations;
    assert.ok(physicalLocation.region.startLine >= 1);
    assert.doesNotMatch(physicalLocation.artifactLocation.uri, /^\/|\s|\\/);
  }
  const errors = results.filter(({ level }: { level: string }) => level === 'error');
  assert.deepEqual(
    errors.map(({ ruleId }: { ruleId: string }) => ruleId),
    ['dangling-use', 'call-mismatch'],
  );
  assert.equal(errors[1].relatedLocations[0].physicalLocation.artifactLocation.uri, 'a%20b/cart.ts');
});

test('Markdown: dangling uses first; names stand in code spans, whatever they are', () => {
  const text = reviewMarkdown(review);
  assert.match(text, /^## Review of `HEAD` \([0-9a-f]+\) to the work tree\n\n[^\n]+\n\nrisk: \*\*high\*\*/);
  assert.match(text, /### Certain dangling uses\n\n- `app\.ts:2` .*`total`: total of a b\/cart\.ts is gone/);
  assert.ok(text.indexOf('### Dangling') < text.indexOf('### Calls that do not fit'));
  const { owners } = review.changes;
  const hostile = { ...owners, list: [{ author: '`@everyone` [x](http://evil)', commits: 1, share: 1, last: null }] };
  const shown = reviewMarkdown({ ...review, changes: { ...review.changes, owners: hostile } });
  assert.match(shown, /- `` `@everyone` \[x\]\(http:\/\/evil\) ``: 100%/);
});

test('Markdown: no name formats, links or mentions, in phrases of ours and in spans of nothing', () => {
  const { dangling } = review.changes;
  const [first] = dangling.list;
  const name = '@octo #1 GH-2 https://x.example www.x.example <b> &lt; [a](b)';
  const list = [
    { ...first, how: 'removed' as const, was: { ...first.was, symbol: name } },
    { ...first, symbol: '', path: 'a`b' },
  ];
  const text = reviewMarkdown({ ...review, changes: { ...review.changes, dangling: { list, leftOut: 0 } } });
  const [phrase] = /@.*is gone/.exec(text) ?? [];
  assert.doesNotMatch(phrase ?? '', /@o|#1|GH-|:\/\/|www\.|(?<!\\)[<[\]]|(?<!\\)&(?!#8203;)/);
  assert.match(text, /- `` a`b:\d+ `` ` ` `total`:/);
});

test('Markdown: a long list is folded under the number of all, and says how many of them are in it', () => {
  const list = Array.from({ length: 40 }, () => review.changes.dangling.list[0]);
  const text = (leftOut: number) =>
    reviewMarkdown({ ...review, changes: { ...review.changes, dangling: { list, leftOut } } });
  assert.match(text(0), /<summary>40<\/summary>/);
  assert.match(text(600), /<summary>640, the first 40 of them<\/summary>/);
});

test('dangling uses that a cut list leaves out are counted in every form, below the least certain of those listed', () => {
  const [first] = review.changes.dangling.list;
  const cut = (...certainties: ('certain' | 'likely' | 'possible')[]) => {
    const list = certainties.map((certainty) => ({ ...first, certainty }));
    return { ...review, changes: { ...review.changes, dangling: { list, leftOut: 7 } } };
  };
  for (const certainties of [['likely'], ['certain', 'possible'], ['certain', 'likely']] as const) {
    const document = cut(...certainties);
    const [text, markdown] = [
      reviewText(document, { pen: plainPen(COMMAND_WORDS), values: {} as never }),
      reviewMarkdown(document),
    ];
    const last = certainties.at(-1);
    assert.match(text, new RegExp(`\\n${last} dangling uses[^\\n]*\\n [^\\n]+\\n {2}… 7 more`));
    assert.match(markdown, new RegExp(`### ${last} dangling uses[^\\n]*\\n\\n- [^\\n]+\\n- … 7 more`, 'i'));
    assert.equal(markdown.split('7 more').length, 2);
  }
});

test('tests that may run what changed are in every form, the likeliest five, and the others are counted', () => {
  const list = Array.from({ length: 7 }, (_, i) => {
    return { path: `test/t${i}.ts`, line: 1, symbol: null, reason: 'imports' as const, hops: 1 };
  });
  const document = { ...review, mayRun: { list, leftOut: 2 } };
  const text = reviewText(document, { pen: plainPen(COMMAND_WORDS), values: {} as never });
  for (const shown of [text, reviewMarkdown(document)]) {
    assert.match(shown, /may run it/i);
    assert.deepEqual(
      shown.match(/test\/t\d\.ts/g),
      ['0', '1', '2', '3', '4'].map((n) => `test/t${n}.ts`),
    );
    assert.match(shown, /… 4 more/);
  }
});

test('SARIF: messages hold no lines and no characters that reorder text', () => {
  const { dangling } = review.changes;
  const list = [{ ...dangling.list[0], text: 'a\n\u202eb' }];
  const { runs } = JSON.parse(
    reviewSarif({ ...review, changes: { ...review.changes, dangling: { list, leftOut: 0 } } }),
  );
  assert.match(runs[0].results[0].message.text, /^a\\\\n\\\\u202eb leads/);
});

test('the exit status follows what is asked for', () => {
  const isNegative = (document: typeof review, failOn?: string) =>
    questions[0].command?.isNegative?.(document, { failOn } as never);
  assert.deepEqual(
    [isNegative(review), isNegative(review, 'dangling'), isNegative(review, 'high')],
    [false, true, true],
  );
  const unsure = review.changes.dangling.list.map((use) => ({ ...use, certainty: 'likely' as const }));
  const milder = { ...review, changes: { ...review.changes, dangling: { list: unsure, leftOut: 0 } } };
  assert.deepEqual([isNegative(milder, 'dangling'), isNegative(milder, 'high')], [false, true]);
});

test('a review that may fail says why it does, and what it is not sure of', () => {
  const pen = plainPen(COMMAND_WORDS);
  const last = (document: typeof review, failOn: string) =>
    reviewText(document, { pen, values: { format: 'text', failOn } as never })
      .split('\n')
      .filter((line) => /^(?:fails|passes)/.test(line))[0];
  const certain = review.changes.dangling.list[0];
  const of = (...list: (typeof certain)[]) => ({
    ...review,
    changes: { ...review.changes, dangling: { list, leftOut: 0 } },
  });
  const unsure = { ...certain, certainty: 'likely' as const };
  const low = (document: typeof review) => ({ ...document, risk: { level: 'low' as const, reasons: [] } });
  assert.equal(last(of(certain, unsure), 'dangling'), 'fails: 1 use certainly dangles; 1 less sure one does not count');
  assert.equal(last(low(of(unsure)), 'dangling'), 'passes: no use certainly dangles; 1 less sure one does not count');
  assert.equal(last(low(of()), 'high'), 'passes: no use certainly dangles; the risk is low');
});

test('routes that come, go or get another handler, schemas and configuration have a line each', async () => {
  const server = (routes: string) =>
    `import express from 'express';\nconst app = express();\nfunction list() {}\nfunction show() {}\n${routes}`;
  const found = await changed(
    {
      'server.ts': server("app.get('/carts', list);\napp.get('/rates', list);\n"),
      'package.json': '{"dependencies": {"express": "4"}}',
      'db/orders.sql': 'create table orders (id int);\n',
      'notes.md': '# notes\n',
    },
    {
      'server.ts': server("app.get('/carts', show);\napp.post('/carts', show);\n"),
      'package.json': '{"dependencies": {"express": "5"}}',
      'db/orders.sql': 'create table orders (id bigint);\n',
      'notes.md': '# more notes\n',
    },
  );
  const lines = found.changes.further.list.map(({ kind, change, name }) => `${kind} ${change} ${name}`);
  assert.deepEqual(lines, [
    'route removed GET /rates',
    'route changed GET /carts',
    'route added POST /carts',
    'schema changed db/orders.sql',
    'configuration changed package.json',
  ]);
  assert.match(
    reviewMarkdown(found),
    /### Routes, schemas, configuration\n\n- removed: `server\.ts:6` `GET \/rates`: route/,
  );
  const text = reviewText(found, { pen: plainPen(COMMAND_WORDS), values: {} as never });
  assert.match(text, /\nroutes, schemas, configuration\n {2}- server\.ts:6 {2}GET \/rates {2}route\n/);
});
