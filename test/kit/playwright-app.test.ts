import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountOf } from '../../src/kits/playwright/playwright-app.js';

const CARRIED = 'http://127.0.0.1:4010/v1#run-1/0/a.spec.ts/test.1';
const ACCOUNT = { url: 'http://127.0.0.1:4010/v1', token: 'run-1/0/a.spec.ts/test.1' };

describe('accountOf', () => {
  test.each<[string, Record<string, string>]>([
    ['a header', { 'x-usage-billing-account': CARRIED }],
    ['a cookie', { cookie: `a=b; usage-billing-account=${CARRIED}; c=d` }],
    [
      'a header rather than a cookie',
      {
        cookie: 'usage-billing-account=http://127.0.0.1:1#other',
        'x-usage-billing-account': CARRIED,
      },
    ],
  ])('reads the account from %s, of Node and of the Fetch API', async (_, headers) => {
    expect(accountOf({ headers })).toEqual(ACCOUNT);
    expect(accountOf({ headers: new Headers(headers) })).toEqual(ACCOUNT);
    const server = createServer((request, response) => {
      response.end(JSON.stringify(accountOf(request)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}`, { headers });
    expect(await response.json()).toEqual(ACCOUNT);
    server.close();
  });

  test.each([
    ['no account', {}, "The request GET /customer names no test's account; expected the cookie"],
    ['another cookie', { cookie: 'my-usage-billing-account=x#y' }, "names no test's account"],
    ['no token', { 'x-usage-billing-account': 'http://127.0.0.1#' }, 'carries the account "http'],
    ['no URL', { 'x-usage-billing-account': 'my-token' }, "expected the URL of a mock, '#' and a"],
  ])('throws for a request with %s', (_, headers, sentence) => {
    const request = { method: 'GET', url: '/customer', headers };
    expect(() => accountOf(request)).toThrow(sentence);
  });
});
