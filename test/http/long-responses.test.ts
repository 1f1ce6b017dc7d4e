import { createMockServer, type Measurement } from '../../src/index.js';

const ODD = ['', '"', '\\', '\n', '\u2028', 'é', '€', '\u{1f600}', '\ud800', 'ä'.repeat(9_000)];

/** Measurements with far more bytes than characters, or with characters to escape. */
const measurements: Measurement[] = Array.from({ length: 1_000 }, (_, nth) => ({
  id: `m-${String(nth).padStart(4, '0')}`,
  customerId: `${ODD[nth % 10]}${nth}`,
  meterId: 'calls',
  usageDate: { year: 2026, month: 1, day: 1 },
  value: nth / 8,
  createdAt: '2026-01-02T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
}));

const server = await createMockServer({ dataset: 'empty' });
for (const one of measurements) server.account('t').measurements.put(one);

test.each([49, 50, 51, 99, 100, 101, 150, 1_000])(
  'a page of %i measurements is the JSON of its records, byte for byte, and as long as it says',
  async (limit) => {
    const response = await server.fetch(`http://mock/measurements?limit=${limit}`, {
      headers: { Authorization: 'Bearer t' },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const listed = JSON.parse(bytes.toString());
    expect(listed.measurements).toEqual(measurements.slice(0, limit));
    expect(bytes.toString()).toBe(JSON.stringify(listed));
    expect(response.headers.get('Content-Length')).toBe(String(bytes.length));
  },
);
