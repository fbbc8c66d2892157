// What an agent pays for ten results: `npm run bench -- search-tokens --data DIR --checkouts DIR [--queries N]`. Judged queries, as
// ranking-judged.mjs reads them, are asked through the MCP server with nothing but the query. Prints o200k tokens of the text and of the
// structured reply, and the share of the query's words in whole results that are still in the lines shown.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { loadJudged, mean } from './ranking-judged.mjs';
import { openCheckout, search } from './ranking-search.mjs';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const { textTerms } = await import(new URL('../../dist/extract/terms.js', import.meta.url));
const { parseQuery } = await import(new URL('../../dist/search/query.js', import.meta.url));

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== 'search-tokens'),
  options: {
    data: { type: 'string' },
    checkouts: { type: 'string' },
    queries: { type: 'string', default: '12' },
  },
});

/** Words of the query that a text has. */
const wordsIn = (text, terms) => {
  const own = new Set(textTerms(text));
  return terms.filter((term) => own.has(term));
};

async function measure(repo) {
  const { dir, queries } = repo;
  const checkout = await openCheckout(repo);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', '--structured'],
    cwd: dir,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const ask = async (args) => {
    for (;;) {
      const reply = await client.callTool({ name: 'codebase_search', arguments: args });
      if (!reply.isError) return reply;
      if (!reply.content[0].text.startsWith('NOT_READY')) throw new Error(reply.content[0].text);
      await new Promise((done) => setTimeout(done, 2_000));
    }
  };
  const rows = [];
  for (const { query } of queries.slice(0, Number(options.queries))) {
    const { content, structuredContent } = await ask({ query });
    const { results } = structuredContent;
    const terms = parseQuery(query).terms;
    const text = content.map((part) => part.text).join('\n');
    const bodies = text.split(/\n(?=\S+:\d+)/);
    const whole = await search(checkout, query, 'hybrid');
    const kept = (shown) => results.map((_, i) => wordsIn(shown[i] ?? '', terms).length);
    const all = whole.slice(0, results.length).map((result) => wordsIn(result.content, terms).length);
    const share = (found) =>
      found.reduce((a, b) => a + b, 0) /
      Math.max(
        1,
        all.reduce((a, b) => a + b, 0),
      );
    rows.push({
      results: results.length,
      text: countTokens(text),
      structured: countTokens(JSON.stringify(structuredContent)),
      contents: results.reduce((sum, result) => sum + countTokens(result.content ?? ''), 0),
      inText: share(kept(bodies.slice(-results.length))),
      inStructured: share(kept(results.map(({ content = '' }) => content))),
    });
  }
  await client.close();
  checkout.session.close();
  return rows;
}

if (!options.data || !options.checkouts) {
  console.error('usage: npm run bench -- search-tokens --data DIR --checkouts DIR [--queries N]');
  process.exit(2);
}
const rows = [];
for (const repo of loadJudged(options.data, options.checkouts)) rows.push(...(await measure(repo)));
console.log(`${rows.length} queries`);
for (const name of Object.keys(rows[0])) {
  const values = rows.map((row) => row[name]).sort((a, b) => a - b);
  const figure = (x) => (x < 2 ? x.toFixed(3) : Math.round(x).toString());
  console.log(
    `${name.padEnd(14)} mean ${figure(mean(values)).padStart(6)}  95 % ${figure(values[Math.floor(values.length * 0.95)]).padStart(6)}`,
  );
}
