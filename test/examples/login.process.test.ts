import { createCertificate, hasProgram } from '../support/certificates.js';
import { useCommands } from '../support/command.js';
import { run } from '../support/programs.js';

const start = useCommands();
const hasOpenssl = hasProgram('openssl');
const note = hasOpenssl ? '' : ' (skipped: openssl is not installed)';

const FIXTURE = ['--dataset', 'examples/login/billing.yaml'];
const CONTRACT = '65b000000000000000000001';

/** Runs the example as a user of the service would. */
async function closeContract(url: string, email: string, env: NodeJS.ProcessEnv = {}) {
  const { PATH } = process.env;
  const { stdout } = await run(process.execPath, ['examples/login/close-contract.mjs', CONTRACT], {
    env: { PATH, BILLING_URL: url, BILLING_EMAIL: email, BILLING_PASSWORD: 'any', ...env },
  });
  return JSON.parse(stdout);
}

const CLOSED = {
  deleted: CONTRACT,
  at: expect.any(String),
  count: 6476,
  usage: expect.any(Number),
};

describe('the example that logs in', () => {
  const runs = hasOpenssl ? test : test.skip;
  runs(
    `runs over https below a base path, each user in an account of their own${note}`,
    async () => {
      const { tlsCert, tlsKey } = createCertificate('DNS:localhost', 'IP:127.0.0.1');
      const secure = ['--base-path', '/v1', '--tls-cert', tlsCert, '--tls-key', tlsKey];
      const { url } = await start([...FIXTURE, ...secure]);
      expect(url).toMatch(/^https:.*\/v1$/);
      const trusted = { NODE_EXTRA_CA_CERTS: tlsCert };
      expect(await closeContract(url, 'robin@acme.example', trusted)).toEqual(CLOSED);
      expect(await closeContract(url, 'jules@acme.example', trusted)).toEqual(CLOSED);
      await expect(closeContract(url, 'robin@acme.example', trusted)).rejects.toThrow(
        `DELETE /contracts/${CONTRACT}: 404`,
      );
    },
  );

  test('runs unchanged over plain HTTP at the root', async () => {
    const { url } = await start(FIXTURE);
    expect(await closeContract(url, 'robin@acme.example')).toEqual(CLOSED);
  });
});
