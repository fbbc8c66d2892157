/** Every fact of a file that has most of what the language can say. */
import { extract } from '../../../src/extract/extract.js';
import { testFacts, testSamples } from '../recorded-facts.js';

testFacts(extract, 'html', 'vue');
testSamples(
  extract,
  'clojure',
  'cmake',
  'dockerfile',
  'elm',
  'erlang',
  'fortran',
  'graphql',
  'julia',
  'makefile',
  'nix',
  'ocaml',
  'perl',
  'powershell',
  'protobuf',
  'r',
  'solidity',
  'terraform',
  'tex',
  'verilog',
  'xml',
  'zig',
);
