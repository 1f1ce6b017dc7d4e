// The records that everything is measured with, and the requests.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockServer } from 'usage-billing-mock';

export const CUSTOMER = '65a000000000000000000001';
const REFS = 10;
/** More events than the default dataset has, so that deletes keep finding some. */
const FIXTURE = { extends: 'default', generate: { eventsPerCustomer: 500 } };

/**
 * Writes the records to files in a new folder, which is removed at the end of the process. `most` limits
 * the requests of each measure.
 */
export async function writeData(most) {
  const folder = mkdtempSync(join(tmpdir(), 'usage-billing-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const write = (name, content) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const dataset = write('fixture.json', FIXTURE);
  const records = write('records.json', await recordsOf(dataset));
  const defaultRecords = write('default-records.json', await recordsOf('default'));
  return { dataset, records, defaultRecords, most };
}

async function recordsOf(dataset) {
  return (await createMockServer({ dataset })).account('bench').exportState();
}

/**
 * The operations that are measured. `requests` are sent in turn; those that delete go on under the
 * next token when all is deleted. `count` says how many records the first response has to have, and
 * `amount` how many requests are sent before it is measured, and then once more: V8 needs some 20,000.
 */
export function operationsOf({ records, most }) {
  const { events } = JSON.parse(readFileSync(records, 'utf8'));
  const refs = [...new Set(events.map(({ ref }) => ref))].filter((ref) =>
    /^[\x20-\x7e]+$/.test(ref),
  );
  const deletes = Array.from({ length: Math.floor(refs.length / REFS) }, (_, nth) => ({
    method: 'POST',
    path: '/events/delete-by-refs',
    body: JSON.stringify({ refs: refs.slice(nth * REFS, (nth + 1) * REFS) }),
  }));
  return [
    {
      name: 'customer by id',
      requests: [{ path: `/customers/${CUSTOMER}` }],
      count: 0,
      amount: 20_000,
    },
    ...[10, 1_000].map((limit) => ({
      name: `page of ${limit.toLocaleString('en')}`,
      requests: [{ path: `/measurements?limit=${limit}` }],
      ofJsonServer: [{ path: `/measurements?_page=1&_per_page=${limit}` }],
      count: limit,
      amount: limit > 100 ? 1_000 : 20_000,
    })),
    {
      name: 'delete of 10 refs',
      requests: deletes,
      ofJsonServer: undefined,
      count: REFS,
      amount: 8_000,
    },
  ].map(({ amount, ...operation }) => ({
    ofJsonServer: operation.requests,
    ...operation,
    amount: Math.min(amount, most),
  }));
}

/** Returns the requests one after another, with their headers. */
export function inTurn(requests) {
  let asked = 0;
  return () => {
    const { method = 'GET', path, body } = requests[asked % requests.length];
    // The limits keep deletions by token, as the mock does.
    const token = body === undefined ? 'bench' : `bench-${Math.floor(asked / requests.length)}`;
    asked += 1;
    const headers = { authorization: `Bearer ${token}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    return { method, path, body, headers };
  };
}

/** How many records a body has, whichever server sent it. */
export function countOf(body) {
  return (body.measurements ?? body.events ?? body.data ?? []).length;
}
