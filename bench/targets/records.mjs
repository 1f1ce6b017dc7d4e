// The arguments of a limit: its port, and the records of a JSON file or many plain measurements.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** @import { Records } from '../types.js' */

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    data: { type: 'string', default: '' },
    document: { type: 'string', default: '' },
    measurements: { type: 'string', default: '0' },
  },
});

export const port = Number(values.port);
export const document = values.document;

/**
 * The records of the file; `--measurements` replaces its own measurements by that many plain ones.
 * @returns {Records}
 */
export function readRecords() {
  const records = JSON.parse(readFileSync(values.data, 'utf8'));
  const count = Number(values.measurements);
  if (count === 0) return records;
  return { ...records, measurements: Array.from({ length: count }, (_, nth) => plain(nth)) };
}

const CUSTOMERS = hexIds(10_000, 0x66);
const METERS = hexIds(4, 0x77);
const STAMPS = Array.from({ length: 365 }, (_, day) =>
  new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
);

/**
 * A measurement that is as light as possible: equal values are the same string.
 * @param {number} nth
 */
function plain(nth) {
  return {
    id: hexId(nth, 0),
    customerId: CUSTOMERS[nth % CUSTOMERS.length],
    meterId: METERS[nth % METERS.length],
    usageDate: { year: 2026, month: 1 + (nth % 12), day: 1 + (nth % 28) },
    value: nth % 1_000,
    createdAt: STAMPS[nth % STAMPS.length],
    updatedAt: STAMPS[nth % STAMPS.length],
  };
}

/**
 * @param {number} count
 * @param {number} filler
 */
function hexIds(count, filler) {
  return Array.from({ length: count }, (_, nth) => hexId(nth, filler));
}

/**
 * @param {number} nth
 * @param {number} filler
 */
function hexId(nth, filler) {
  const bytes = Buffer.alloc(12, filler);
  bytes.writeUInt32BE(nth, 8);
  return bytes.toString('hex');
}
