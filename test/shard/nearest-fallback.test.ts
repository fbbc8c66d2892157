/** The tests of nearest vectors once more, on a machine that usearch has no build for. */
process.env.SOCRATICODE_TEST_NO_USEARCH = '1';
await import('./nearest.test.js');
