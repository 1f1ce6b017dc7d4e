import fc from 'fast-check';
import { useCommands } from '../support/command.js';
import { deeds, startKilledCommand } from './killed-command.js';

const SEED = 20_260_101;
const start = useCommands('--log-level', 'warn');

test('a command that is killed at random starts with a state that it had reached', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (sequence) => {
      const killed = await startKilledCommand(start);
      for (const deed of sequence) await killed.act(deed);
      await killed.end();
    }),
    { numRuns: 20, seed: SEED, endOnFailure: true },
  );
});
