/** The language server in neovim, where that is installed: an editor that nobody here has written. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLI, cli } from '../support/processes/cli.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

const missing = spawnSync('nvim', ['--version']).status === 0 ? false : 'neovim is not installed';

/** Opens a file with a changed buffer, asks everything about a name, and writes what the server said to a file. */
const SCRIPT = `
local id = vim.lsp.start_client({ cmd = vim.json.decode(vim.env.SERVER), root_dir = vim.fn.getcwd() })
vim.wait(20000, function() return vim.lsp.get_client_by_id(id).initialized end, 20)
vim.cmd('edit src/shop.ts')
vim.api.nvim_buf_set_lines(0, 0, 0, false, { '', '' })
vim.lsp.buf_attach_client(0, id)
local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 5, character = 15 } }
local function ask(method, values)
  local replies = vim.lsp.buf_request_sync(0, method, values or params, 5000) or {}
  return replies[id] and replies[id].result
end
local found = {}
vim.wait(20000, function()
  found.definition = ask('textDocument/definition')
  return type(found.definition) == 'table' and #found.definition > 0
end, 100)
found.hover = ask('textDocument/hover')
params.context = { includeDeclaration = false }
found.references = ask('textDocument/references')
found.symbols = ask('workspace/symbol', { query = 'pay' })
found.items = ask('textDocument/prepareCallHierarchy')
found.callers = ask('callHierarchy/incomingCalls', { item = found.items[1] })
vim.fn.writefile({ vim.json.encode(found) }, vim.env.FOUND)
vim.lsp.stop_client(id)
vim.cmd('qall!')
`;

test('neovim finds a definition, its uses and its callers from a buffer that is not saved', {
  skip: missing,
}, async () => {
  const repo = createRepo();
  repo.commit({
    'src/cart.ts': 'export class Cart {\n  total() {\n    return 1;\n  }\n}\n',
    'src/shop.ts':
      "import { Cart } from './cart.js';\n\nexport function pay(cart: Cart) {\n  return cart.total();\n}\n",
  });
  assert.equal((await cli(['index'], { cwd: repo.dir })).code, 0);
  const folder = makeDirectory();
  const [script, answer] = [join(folder, 'ask.lua'), join(folder, 'found.json')];
  writeFileSync(script, SCRIPT);
  const env = { ...process.env, SERVER: JSON.stringify([process.execPath, CLI, 'lsp']), FOUND: answer };
  const { stderr } = spawnSync('nvim', ['--headless', '--clean', '-c', `luafile ${script}`], {
    ...{ cwd: repo.dir, env, encoding: 'utf8', timeout: 60_000 },
  });
  assert.ok(existsSync(answer), stderr);
  const found = JSON.parse(readFileSync(answer, 'utf8'));
  const [{ uri, range }] = found.definition;
  assert.ok(uri.endsWith('/src/cart.ts'), stderr);
  assert.deepEqual(range.start, { line: 1, character: 2 });
  assert.match(found.hover.contents.value, /1 caller/);
  assert.deepEqual(found.references[0].range.start, { line: 5, character: 14 });
  assert.equal(found.symbols[0].name, 'pay');
  assert.equal(found.callers[0].from.name, 'pay');
});
