import { spawnSync } from 'node:child_process';

const FOLDER = '../../examples/typescript';

// Named by a variable, so that the project's own types can be checked before there is a dist/.
await import(`${FOLDER}/billing-client.test.js`);

test('the example in TypeScript is right by the types of the package', () => {
  const flags = '--noEmit --strict --skipLibCheck --target es2022 --module nodenext'.split(' ');
  const { stdout } = spawnSync(process.execPath, [
    'node_modules/typescript/bin/tsc',
    ...flags,
    ...['--types', 'node,jest', 'examples/typescript/billing-client.test.ts'],
  ]);
  expect(stdout.toString()).toBe('');
});
