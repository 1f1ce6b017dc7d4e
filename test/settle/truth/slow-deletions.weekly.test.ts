import { runSettle } from '../../../src/tools/settle/run-settle.js';
import { SCRATCH } from '../../support/billing-records.js';
import { startService, stopService, TOKEN } from '../../support/billing-service.js';

const DELETION_MS = 1_500;
const LATER_MS = 3_000;

test('settle deletes again three seconds after a deletion was answered, however long that took', async () => {
  const service = await startService({}, (_response, write, { method }) => {
    if (method === 'DELETE') setTimeout(write, DELETION_MS);
    else write();
  });
  try {
    const only = ['repeat-delete'] as const;
    const scratch = { ...SCRATCH, scratchContracts: ['con-1'] };
    await runSettle({ target: service.url, token: TOKEN, rate: 1000, only, ...scratch });
    const deletes = service.recorded.filter(({ method }) => method === 'DELETE');
    const [first, last] = [deletes[0], deletes.at(-1)].map((one) => one?.atMs ?? Number.NaN);
    expect(Number(last) - Number(first)).toBeGreaterThanOrEqual(DELETION_MS + LATER_MS - 10);
  } finally {
    await stopService(service);
  }
});
