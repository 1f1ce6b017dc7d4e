import { createMockServer } from '../../src/index.js';
import { OBSERVERS } from '../../src/tools/settle/observers/observers.js';
import { CUSTOMER_PROBES } from '../../src/tools/settle/probes/customer-probes.js';
import { DELETION_PROBES } from '../../src/tools/settle/probes/deletion-probes.js';
import { TOKEN_PROBES } from '../../src/tools/settle/probes/probes.js';
import { GIVEN_TOKEN, send, verdictOn } from '../support/settle.js';

type Ids = readonly (keyof typeof OBSERVERS)[];

test('the evidence has no token, no identifier and no name of a customer', async () => {
  for (const decisions of [
    {},
    { 'undocumented-fields': 'extra', 'name-matches': 'name-or-alias' },
    { 'unmatched-refs': 'not-found', 'repeat-delete': 'same-result' },
  ] as const) {
    const server = await createMockServer({ decisions });
    const customers = server.account(GIVEN_TOKEN).customers.list();
    const samples = await send(server, [...CUSTOMER_PROBES, ...TOKEN_PROBES, ...DELETION_PROBES], {
      scratchContracts: ['65b000000000000000000001'],
      scratchRefs: ['acme-2026-03-31-001', 'globex-march'],
    });
    const lines = (Object.keys(OBSERVERS) as Ids).flatMap((id) => verdictOn(id, samples).evidence);
    const personal = customers.flatMap(({ id, name = '', externalId = '', aliases = [] }) => [
      id,
      name,
      externalId,
      ...aliases,
    ]);
    const text = lines.join('\n');
    expect(lines.length).toBeGreaterThan(10);
    expect([...personal, GIVEN_TOKEN].filter((word) => text.includes(word))).toEqual([]);
  }
});
