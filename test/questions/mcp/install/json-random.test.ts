/** Random files, whatever blanks and comments they have: our entry only adds, and taking it out loses nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import jsonc from 'jsonc-parser';
import { ClientConfig } from '../../../../src/questions/mcp/client-config.js';
import { CLIENT_TABLE } from '../../../../src/questions/mcp/clients.js';
import { ROUNDS } from '../../../support/repositories/repo.js';

const NAME = 'socraticode';
const ENTRY = { type: 'stdio', command: 'git-socraticode', args: ['mcp'] };

/** `~` stands for the file's line ending. */
const blank = fc
  .array(fc.constantFrom('', ' ', '  ', '\t', '~', '~  ', '/*c*/', '//{",}~'), { maxLength: 2 })
  .map((parts) => parts.join(''));
const scalar = fc.constantFrom('1', '-2.5e3', 'null', '"mcpServers"', '"}//"', '"é\\""');

const list = (items: fc.Arbitrary<string>, maxLength = 3): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.tuple(blank, items, blank), { maxLength }), fc.boolean(), blank)
    .map(([parts, trailing, end]) => {
      const text = parts.map((part) => part.join('')).join(',');
      return parts.length > 0 && trailing ? `${text},${end}` : `${text}${parts.length > 0 ? '' : end}`;
    });

const member = (key: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.tuple(key, blank, blank, value).map(([name, before, after, text]) => `"${name}"${before}:${after}${text}`);

/** Keys are made different afterwards: a key that is there twice is refused. */
const someKey = fc.constant('k#');
const value = fc.oneof(
  scalar,
  list(scalar).map((text) => `[${text}]`),
  list(member(someKey, scalar)).map((text) => `{${text}}`),
);
const members = list(member(someKey, value));
const section = member(
  fc.constant('mcpServers'),
  members.map((text) => `{${text}}`),
);
const file = fc
  .tuple(blank, fc.array(member(someKey, value), { maxLength: 2 }), fc.option(section), blank, blank, fc.boolean())
  .map(([start, others, servers, inner, end, crlf]) => {
    const all = [...others.slice(0, 1), ...(servers === null ? [] : [servers]), ...others.slice(1)];
    const text = `${start}{${all.map((each) => inner + each).join(',') || inner}}${end}`;
    let count = 0;
    return text.replaceAll('k#', () => `k${count++}`).replaceAll('~', crlf ? '\r\n' : '\n');
  });

/** Nothing of `before` is gone: the rest of `after` was put between. */
function onlyAdds(before: string, after: string): boolean {
  let at = 0;
  for (const letter of after) if (letter === before[at]) at++;
  return at === before.length;
}

const dataOf = (text: string): { mcpServers?: object } => JSON.parse(JSON.stringify(jsonc.parse(text)));

test('random files', () => {
  const config = new ClientConfig(CLIENT_TABLE.cursor, NAME, () => ENTRY);
  fc.assert(
    fc.property(file, (before) => {
      const after = config.add(before);
      assert.ok(onlyAdds(before, after), after);
      const data = dataOf(before);
      assert.deepEqual(dataOf(after), { ...data, mcpServers: { ...data.mcpServers, [NAME]: ENTRY } });
      assert.equal(config.add(after), after);
      const restored = config.remove(after) ?? '{}';
      // Blanks between braces with nothing else, and whether there is an empty section, cannot be told afterwards.
      if (Object.keys(data.mcpServers ?? {}).length > 0) assert.equal(restored, before);
      else assert.deepEqual({ mcpServers: {}, ...dataOf(restored) }, { mcpServers: {}, ...data });
    }),
    { numRuns: 60 * ROUNDS },
  );
});
