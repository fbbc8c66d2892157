/** A repository that wants to trick whoever reads it in an editor: its text stays text, without characters that nobody sees. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { type Client, connect } from '../support/servers/lsp-client.js';

const TURNED = '\u202e';
const PATH = '`[pay](evil)`.ts';
const PAY =
  '/** See https://evil.example or www.evil.example, <b>now</b>, or write to pay@evil.example. */\nexport function pay() {}\n';

const repo = createRepo();
repo.commit({
  [PATH]: PAY,
  [`${TURNED}turned.ts`]: "import { pay } from './`[pay](evil)`.js';\n\nexport function caller() {\n  pay();\n}\n",
  'guide.md': `# Guide ${TURNED}turned\n\nText.\n`,
});

let editor: Client;
before(async () => {
  assert.equal((await cli(['index'], { cwd: repo.dir })).code, 0);
  editor = await connect(repo.dir, process.env);
});
after(async () => {
  assert.equal(await editor.close(), 0);
});

/** The graph of a new repository is linked by another process. */
async function hoverOfPay(): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const found = await editor.at('textDocument/hover', PATH, 1, 17);
    if (found !== null) return found.contents.value;
  }
  assert.fail('no answer');
}

test('a hover holds no link, however it is written', async () => {
  const text = await hoverOfPay();
  assert.match(
    text,
    /See https\\:\/\/evil\.example or www\\\.evil\.example, \\<b\\>now\\<\/b\\>, or write to pay\\@evil/,
  );
  assert.ok(text.includes(`\`\` ${PATH}:2 \`\``), text);
  assert.ok(!text.includes(TURNED), text);
  assert.match(text, /Called in `\\u202eturned\.ts:4`/);
});

test('names in lists show characters that nobody sees', async () => {
  await hoverOfPay();
  const [item] = await editor.at('textDocument/prepareCallHierarchy', PATH, 1, 17);
  const incoming = await editor.ask('callHierarchy/incomingCalls', { item });
  assert.deepEqual(
    incoming.map(({ from }: { from: { name: string; detail: string } }) => [from.name, from.detail]),
    [['caller', '\\u202eturned.ts']],
  );
  const document = { textDocument: { uri: editor.uri('guide.md') } };
  assert.deepEqual(
    (await editor.ask('textDocument/documentSymbol', document)).map(({ name }: { name: string }) => name),
    ['Guide \\u202eturned'],
  );
});
