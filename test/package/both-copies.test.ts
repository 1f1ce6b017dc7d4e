import { execFileSync } from 'node:child_process';

/** Loads the package as an ES module and by `require`, and throws in one what the other is to know. */
const SCRIPT = `
  import { createRequire } from 'node:module';
  import * as imported from 'usage-billing-mock';
  const required = createRequire(process.cwd() + '/')('usage-billing-mock');
  const names = ['FixtureError', 'InvalidInputError', 'OptionError', 'ProblemError', 'UnknownIdError'];
  const known = async (one, other) => {
    const server = await one.createMockServer({ dataset: 'empty', maxAccounts: 1 });
    const account = server.account('t');
    const acts = [
      () => one.createMockServer({ dataset: 'package.json' }),
      () => account.faults.add({}),
      () => one.createMockServer({ port: 'none' }),
      () => server.account('another'),
      () => account.restore('none'),
    ];
    const errors = await Promise.all(acts.map(async (act) => act()).map((done) => done.catch((error) => error)));
    return errors.map((error) => names.filter((name) => error instanceof other[name]).join());
  };
  class Own extends imported.ProblemError {}
  const problem = new required.ProblemError('conflict', 'x');
  console.log(JSON.stringify({
    names,
    isSame: imported.ProblemError === required.ProblemError,
    required: await known(required, imported),
    imported: await known(imported, required),
    others: [new Error('x'), { name: 'ProblemError' }, null].map((one) => one instanceof imported.ProblemError),
    own: [new Own('conflict', 'x') instanceof Own, problem instanceof Own],
  }));
`;

test('knows the errors of the package by instanceof, whether it was imported or required', () => {
  const args = ['--input-type=module', '--eval', SCRIPT];
  const { names, ...shown } = JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8' }),
  );
  expect(shown).toEqual({
    isSame: false,
    required: names,
    imported: names,
    others: [false, false, false],
    own: [true, false],
  });
});
