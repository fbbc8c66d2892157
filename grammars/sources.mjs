/**
 * npm packages with the C source of each grammar, by the grammar's name. `folder`: where it is, if not in `src`;
 * `replacements`: in the scanner, each of which must be there.
 */
const astGrep = (name, version, symbol) => ({ from: `@ast-grep/lang-${name}@${version}`, symbol });

/** Empty names for the elements that are open beyond those whose names the scanner's state has room for: 64, instead of one each. */
const fewUnnamed = (next) =>
  ['iter < tag_count;', `iter < tag_count && iter < serialized_tag_count + 64u;`].map(
    (text) => `for (; ${text} ${next})`,
  );

const COMMENT_END = `                dashes = 0;
        }
        advance(lexer);
    }
    return false;
}`;

export const SOURCES = {
  TypeScript: {
    from: 'tree-sitter-typescript@0.23.2',
    folder: 'typescript/src',
    symbol: 'tree_sitter_typescript',
  },
  Tsx: { from: 'tree-sitter-typescript@0.23.2', folder: 'tsx/src', symbol: 'tree_sitter_tsx' },
  JavaScript: { from: 'tree-sitter-javascript@0.25.0', symbol: 'tree_sitter_javascript' },
  Html: {
    from: 'tree-sitter-html@0.23.2',
    symbol: 'tree_sitter_html',
    replacements: [
      fewUnnamed('iter++'),
      // State that each token copies: 256 bytes of it hold the names of more open elements than pages have.
      ['name_length >= TREE_SITTER_SERIALIZATION_BUFFER_SIZE', 'name_length >= 256'],
      ['size + 1 >= TREE_SITTER_SERIALIZATION_BUFFER_SIZE', 'size + 1 >= 256'],
      // A comment that nothing closes ends with the page: else each `<!--` in it is looked for up to the end of the page.
      [
        COMMENT_END,
        COMMENT_END.replace('return false;', 'lexer->result_symbol = COMMENT; lexer->mark_end(lexer); return true;'),
      ],
    ],
  },
  Css: { from: 'tree-sitter-css@0.25.0', symbol: 'tree_sitter_css' },
  bash: astGrep('bash', '0.0.8'),
  c: astGrep('c', '0.0.6'),
  cpp: astGrep('cpp', '0.0.6'),
  csharp: { from: 'tree-sitter-c-sharp@0.23.5', symbol: 'tree_sitter_c_sharp' },
  // Later than the package of ast-grep, which knows no Dart 3.
  dart: { from: '@sengac/tree-sitter-dart@1.1.6' },
  elixir: astGrep('elixir', '0.0.7'),
  elm: { from: '@elm-tooling/tree-sitter-elm@5.9.4' },
  go: astGrep('go', '0.0.6'),
  groovy: { from: 'tree-sitter-groovy@0.1.2' },
  haskell: astGrep('haskell', '0.0.3'),
  hcl: { from: '@tree-sitter-grammars/tree-sitter-hcl@1.2.0' },
  java: astGrep('java', '0.0.7'),
  json: astGrep('json', '0.0.6'),
  julia: { from: 'tree-sitter-julia@0.23.1', defines: ['SETS_BY_CALL'] },
  kotlin: astGrep('kotlin', '0.0.7'),
  latex: { from: '@pfoerster/tree-sitter-latex@0.6.0', defines: ['SETS_BY_CALL'] },
  lua: astGrep('lua', '0.0.7'),
  make: { from: 'tree-sitter-make@1.1.1' },
  markdown: astGrep('markdown', '0.0.3'),
  objc: { from: 'tree-sitter-objc@3.0.2' },
  ocaml: { from: 'tree-sitter-ocaml@0.24.2', folder: 'grammars/ocaml/src', defines: ['SETS_BY_CALL'] },
  // The package of ast-grep lacks a header of the scanner; its parser and scanner are these.
  php: { from: 'tree-sitter-php@0.24.2', folder: 'php/src' },
  powershell: { from: 'tree-sitter-powershell@0.26.4' },
  python: astGrep('python', '0.0.6'),
  r: { from: '@eagleoutice/tree-sitter-r@1.1.2' },
  ruby: astGrep('ruby', '0.0.7'),
  rust: { from: 'tree-sitter-rust@0.24.0' },
  scala: astGrep('scala', '0.0.7'),
  solidity: { from: 'tree-sitter-solidity@1.2.13' },
  sql: astGrep('sql', '0.0.8'),
  swift: {
    ...astGrep('swift', '0.0.8'),
    // Its lexer asks 1,306 times whether a set contains a character: in line, that takes clang 7 GB and longer than five minutes.
    defines: ['SETS_BY_CALL'],
    replacements: [
      // A `long` has 32 bits in WebAssembly, and the scanner counts on 64.
      ['1UL <<', '1ULL <<'],
      // No memory at all for the scanner's state, which then holds whatever the heap held: other trees from run to run.
      ['calloc(0, sizeof(struct ScannerState))', 'calloc(1, sizeof(struct ScannerState))'],
    ],
  },
  toml: astGrep('toml', '0.0.5'),
  verilog: { from: 'tree-sitter-verilog@1.0.0' },
  xml: {
    from: '@tree-sitter-grammars/tree-sitter-xml@0.7.0',
    folder: 'xml/src',
    replacements: [fewUnnamed('++iter')],
  },
  yaml: astGrep('yaml', '0.0.6'),
  zig: { from: '@tree-sitter-grammars/tree-sitter-zig@1.1.2' },
};
