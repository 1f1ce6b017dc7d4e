import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';

const explaining = await createMockServer({ explain: true });
const silent = await createMockServer();
const CONTRACT = '/contracts/65b000000000000000000001';

describe('with explain a response names the decisions it rested on', () => {
  test.each([
    ['/customers/name/Acme%20Corporation', ['name-matches=exact', 'success-status=200']],
    ['/customers/65a000000000000000000001', ['customer-id-matches=id-or-external-id']],
    ['/measurements', ['measurement-order=usage-date', 'total-counts=all', 'rate-limit=unlimited']],
    ['/measurements?limit=2.5', ['fractional-limit=round-down']],
    ['/measurements?limit=0', ['invalid-request-status=400', 'error-body=problem-json']],
    ['/measurements?cursor=x', ['invalid-cursor=reject', 'invalid-request-status=400']],
    ['/measurements?limit=7', ['limit-out-of-bounds=reject', 'unknown-query-parameters=reject']],
    ['/measurements?cursor=', ['empty-parameter=reject']],
    ['/customers/nobody', ['unknown-query-parameters=reject', 'unknown-identifier-status=404']],
  ])('%s rests on %j', async (path, expected) => {
    const { headers } = await clientOf(explaining).get(path);
    expect(headers.decisions?.split(', ')).toEqual(expect.arrayContaining(expected));
    expect(headers.decisions).not.toContain('repeat-delete');
  });

  test('a refused repetition rests on another decision than the first call', async () => {
    const client = clientOf(explaining);
    expect((await client.delete(CONTRACT)).headers.decisions).toContain('updated-at-on-delete');
    const again = await client.delete(CONTRACT);
    expect(again.headers.decisions).toContain('repeat-delete=not-found');
    expect(again.headers.decisions).not.toContain('updated-at-on-delete');
  });

  test('and its body is what it is without', async () => {
    for (const path of ['/measurements?limit=3', '/measurements?limit=0', '/customers/nobody']) {
      const [told, untold] = [
        await clientOf(explaining).get(path),
        await clientOf(silent).get(path),
      ];
      expect(told.text).toBe(untold.text);
      expect(untold.headers).not.toHaveProperty('decisions');
    }
  });

  test('by the values that the account has', async () => {
    const client = clientOf(explaining);
    explaining.account(client.token).decisions.change({ 'measurement-order': 'id' });
    expect((await client.get('/measurements')).headers.decisions).toContain('measurement-order=id');
  });
});
