// Writes the files that targets start with, from this mock's own records.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockServer } from 'usage-billing-mock';
import type { Body, Records } from '../types.js';

/** More events and contracts than the default dataset has, so that deletes keep finding some. */
const FIXTURE = {
  extends: 'default',
  generate: { contractsPerCustomer: 20, eventsPerCustomer: 500 },
};
const NAMES: (keyof Records)[] = ['customers', 'contracts', 'measurements', 'events'];

/** Writes the files into a new folder, which `remove` deletes. */
export async function writeData() {
  const folder = mkdtempSync(join(tmpdir(), 'usage-billing-bench-'));
  const write = (name: string, content: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const fixture = write('fixture.json', FIXTURE);
  const records = await readRecords(fixture);
  const small = Object.fromEntries(NAMES.map((name) => [name, records[name].slice(0, 1)]));
  const defaults = await readRecords('default');
  return {
    folder,
    fixture,
    records,
    recordsFile: write('records.json', records),
    smallFile: write('small.json', { ...small, customers: records.customers }),
    large: await readLarge(),
    /** As many records as a team would write for its tests. */
    fixtures: { ...defaults, measurements: defaults.measurements.slice(0, 100) },
    db: write('db.json', storedOf(records)),
    defaultDb: write('default-db.json', storedOf(defaults)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** For the dataset `large`: the request to poll with, and the refs that can be deleted. */
async function readLarge() {
  const { dataset } = await createMockServer({ dataset: 'large' });
  const [customer] = dataset.customers;
  return {
    first: { method: 'GET', path: `/customers/${customer?.id}` },
    refs: Array.from(dataset.events, ({ ref }) => ref),
  };
}

function storedOf({ events: _events, ...stored }: Records) {
  return stored;
}

/** The records as the mock returns them: measurements in the order of the listing. */
async function readRecords(dataset: string) {
  const server = await createMockServer({ dataset });
  const { customers, contracts, events } = server.dataset;
  const records = {
    customers: [...customers],
    contracts: [...contracts],
    measurements: [],
    events: [...events],
  } as Records;
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const response = await server.fetch(
      new Request(`http://mock/measurements?limit=1000${cursor && `&cursor=${cursor}`}`, {
        headers: { Authorization: 'Bearer bench' },
      }),
    );
    const { measurements = [], nextCursor } = (await response.json()) as Body;
    records.measurements.push(...measurements);
    cursor = nextCursor;
  }
  return records;
}

export type Data = Awaited<ReturnType<typeof writeData>>;
