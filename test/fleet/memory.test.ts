/** The engine in memory, which is the oracle of the others. */
import { MemoryEngine } from '../../fleet/src/engines/memory.js';
import { testContract } from './contract.js';
import { PROFILE } from './made.js';

testContract('memory', async () => {
  const engine = new MemoryEngine(PROFILE);
  return { engine, other: engine };
});
