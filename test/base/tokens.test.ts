/** Estimated tokens against a real encoding, over code of many languages and over JSON of it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens } from '../../src/base/tokens.js';
import { ROOT } from '../house/root.js';

const MOST_OVER = 0.12;
const MOST_UNDER = 0.1;
const LANGUAGES = ['.c', '.cpp', '.cs', '.ex', '.go', '.java', '.kt', '.php', '.py', '.rb', '.rs', '.swift', '.ts'];

/** How far the estimate is from the truth, as a share of it. */
const error = (text: string): number => estimateTokens(text) / countTokens(text) - 1;

function textsIn(directory: string): { extension: string; text: string }[] {
  const path = fileURLToPath(new URL(directory, ROOT));
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) !== '');
  return names.map((name) => ({ extension: extname(name), text: readFileSync(`${path}/${name}`, 'utf8') }));
}

test('estimates for code, plain and as JSON, are at most 12% above and 10% below the real count', () => {
  const samples = textsIn('fixtures/graph/');
  for (const extension of LANGUAGES) {
    const content = samples.flatMap((sample) => (sample.extension === extension ? [sample.text] : [])).join('\n');
    assert.notEqual(content, '', extension);
    const json = JSON.stringify({ path: `src/cart${extension}`, startLine: 12, endLine: 60, kind: 'code', content });
    for (const text of [content, json]) {
      const off = error(text);
      assert.ok(off <= MOST_OVER && off >= -MOST_UNDER, `${extension}: ${(100 * off).toFixed(1)}%`);
    }
  }
});

test('estimates for whole files are seldom more than a tenth below the real count', () => {
  const errors = textsIn('src/').map(({ text }) => error(text));
  const below = errors.filter((off) => off < -MOST_UNDER).length;
  assert.ok(below <= errors.length * 0.02, `${below} of ${errors.length}`);
});

test('empty text costs nothing; ideographs cost about one token each, other alphabets less', () => {
  assert.equal(estimateTokens(''), 0);
  assert.ok(Math.abs(error('購物車計算所有商品的總額並且返回結果')) < 0.35);
  assert.ok(Math.abs(error('корзина считает сумму всех товаров')) < 0.5);
});

test('each class of characters has its own cost', () => {
  const costs = {
    ...{ open_cart: 143, openCart: 99, CART: 65, a1: 207, 'a b': 95, 'a\n\tb': 205, 'a\r\n': 168 },
    ...{ 'a+=b': 156, '"a"': 142, '`a`': 142, größe: 146, 購物: 172 },
  };
  for (const [text, tokens] of Object.entries(costs)) assert.equal(estimateTokens(text.repeat(100)), tokens, text);
});
