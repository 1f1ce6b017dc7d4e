import { execFileSync } from 'node:child_process';

/** Loads the library and the client, and throws in one an error that the other must recognise. */
const SCRIPT = `
  import { createRequire } from 'node:module';
  import * as imported from 'usage-billing-mock';
  import * as client from 'usage-billing-mock/client';
  const require = createRequire(process.cwd() + '/');
  const required = require('usage-billing-mock');
  const names = ['InvalidInputError', 'ProblemError', 'UnknownIdError'];
  const known = (errors, other) => errors.map((error) => names.filter((name) => error instanceof other[name]).join());
  const server = await imported.createMockServer({ dataset: 'empty', maxAccounts: 1 });
  const account = server.account('t');
  const remote = client.connectMockServer({ url: await server.start() }).account('t');
  const acts = [
    () => account.faults.add({}),
    () => server.account('another'),
    () => account.restore('none'),
  ];
  const thrown = acts.map((act) => { try { act(); } catch (error) { return error; } });
  const received = [
    await remote.faults.add({}).catch((error) => error),
    new client.ProblemError('conflict', 'x'),
    await remote.restore('none').catch((error) => error),
  ];
  await server.stop();
  class Own extends imported.ProblemError {}
  const problem = new client.ProblemError('conflict', 'x');
  console.log(JSON.stringify({
    names,
    isOneLibrary: imported.ProblemError === required.ProblemError,
    isOneCopy: imported.ProblemError === client.ProblemError,
    thrown: known(thrown, client),
    received: known(received, imported),
    others: [new Error('x'), { name: 'ProblemError' }, null].map((one) => one instanceof imported.ProblemError),
    own: [new Own('conflict', 'x') instanceof Own, problem instanceof Own],
  }));
`;

test('knows the errors of the library and of the client by instanceof, whichever class is asked', () => {
  const args = ['--input-type=module', '--eval', SCRIPT];
  const { names, ...shown } = JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8' }),
  );
  expect(shown).toEqual({
    isOneLibrary: true,
    isOneCopy: false,
    thrown: names,
    received: names,
    others: [false, false, false],
    own: [true, false],
  });
});
