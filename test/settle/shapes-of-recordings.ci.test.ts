import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type DecisionId, type SettleReport, settle } from '../../src/index.js';
import type { RecordingGap } from '../../src/tools/settle/settle-report.js';
import { entriesOf } from '../support/billing-recording.js';
import { fixtureFolder } from '../support/fixture.js';
import { askService } from './truth/ask-service.js';

type Entry = ReturnType<typeof entriesOf>[number];
type Field = Entry['response']['headers'][number];
/** An entry in the shape that some recorder gives it. */
type Written = object;
type Shape = (entry: Entry, index: number) => Written | readonly Written[];

const URL_OF_SERVICE = 'http://billing.example';

/** A run against a service whose errors are problem+json, as its recording has it in full. */
let entries: readonly Entry[];
let whole: SettleReport;
beforeAll(async () => {
  const error = (status: number) => ({
    status,
    body: { type: 'about:blank', title: 'No', status },
    headers: { 'content-type': 'application/problem+json' },
  });
  const { sent } = await askService({ rules: { error } }, 'scratch records');
  entries = entriesOf({ url: URL_OF_SERVICE, recorded: sent });
  whole = await read((entry) => entry);
});

/** The report of the recording in another shape, with the files beside it. */
async function read(shape: Shape, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(fixtureFolder, 'shape-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const log = { version: '1.2', entries: entries.flatMap(shape) };
  writeFileSync(join(folder, 'session.har'), JSON.stringify({ log }));
  return settle({ recordings: [join(folder, 'session.har')] });
}

const withResponse = ({ response, ...entry }: Entry, change: object): Written => ({
  ...entry,
  response: { ...response, ...change },
});
const withRequest = ({ request, ...entry }: Entry, change: object): Written => ({
  ...entry,
  request: { ...request, ...change },
});
const withContent = (entry: Entry, change: object): Written =>
  withResponse(entry, { content: { ...entry.response.content, ...change } });
const withoutField = (fields: readonly Field[], name: string) =>
  fields.filter((field) => field.name.toLowerCase() !== name);
const compressed = ({ response: { content } }: Entry) => ({
  text: brotliCompressSync(content.text).toString('base64'),
  encoding: 'base64',
});
const isRefused = ({ response }: Entry) => response.status >= 400;
const isRead = ({ request }: Entry) => request.method === 'GET';

/** The same call as Chromium, Firefox, Playwright and mitmproxy write it if it was aborted. */
const ABORTED = [
  { status: 0, headers: [], content: { size: 0, mimeType: 'x-unknown' }, bodySize: -1 },
  { status: 0, headers: [], content: { text: '' } },
  { status: -1, headers: [], content: { size: -1, mimeType: 'x-unknown' }, bodySize: -1 },
  { status: 0, headers: [], content: {}, bodySize: -1, _error: 'Connect call failed' },
];
/** What a cache or a test may answer in place of the service. */
const SUBSTITUTE = {
  status: 200,
  content: { size: 16, text: '{"substitute":1}', mimeType: 'text/html' },
};

const attached: Shape = ({ request, response, ...entry }, index) => {
  const { text: _, ...content } = response.content;
  const form = { mimeType: 'application/json', text: '', params: [] };
  const postData = request.postData && { ...form, _file: `request-${index}.json` };
  return {
    ...entry,
    request: { ...request, postData },
    response: { ...response, content: { ...content, _file: `response-${index}.json` } },
  };
};

/** Shapes that have everything, if not where HAR 1.2 puts it. */
const COMPLETE: readonly (readonly [string, Shape])[] = [
  [
    'the media type in content.mimeType alone',
    (entry) =>
      withResponse(entry, { headers: withoutField(entry.response.headers, 'content-type') }),
  ],
  [
    'header fields twice',
    (entry) => ({
      ...withRequest(entry, { headers: entry.request.headers.flatMap((one) => [one, one]) }),
      response: { ...entry.response, headers: entry.response.headers.flatMap((one) => [one, one]) },
    }),
  ],
  ['plain bodies that are called base64', (entry) => withContent(entry, { encoding: 'base64' })],
  [
    'the query in queryString alone, as in Insomnia',
    (entry) => withRequest(entry, { url: entry.request.url.replace(/\?.*/, '') }),
  ],
  [
    'names of the query still encoded in queryString, as in Chromium',
    (entry) =>
      withRequest(entry, {
        queryString: entry.request.queryString.map(({ name, value }) => ({
          name: name.replace('u', '%75'),
          value: encodeURIComponent(value),
        })),
      }),
  ],
  [
    'bodies in base64, compressed as their header fields say',
    (entry) =>
      withResponse(withContent(entry, compressed(entry)) as Entry, {
        headers: [...entry.response.headers, { name: 'Content-Encoding', value: 'br' }],
      }),
  ],
  [
    'the calls again, out of a cache and from a test',
    (entry) => [
      entry,
      { ...withResponse(entry, SUBSTITUTE), _fromCache: 'disk' },
      { ...withResponse(entry, SUBSTITUTE), _fetchType: 'Memory Cache' },
      { ...withResponse(entry, SUBSTITUTE), _wasFulfilled: true },
    ],
  ],
  [
    'reads again, but aborted',
    (entry, index) =>
      isRead(entry) ? [entry, withResponse(entry, ABORTED[index % ABORTED.length] ?? {})] : entry,
  ],
];

describe('settle concludes from a recording what it does from a full one, if it has', () => {
  test.each(COMPLETE)('%s', async (_, shape) => {
    const { verdicts, violations, lost } = await read(shape);
    expect({ verdicts, violations, lost }).toEqual({
      verdicts: whole.verdicts,
      violations: whole.violations,
      lost: whole.lost,
    });
  });

  test('bodies attached as files beside it, as in Playwright', async () => {
    const files = entries.flatMap(({ request, response }, index) => [
      [`response-${index}.json`, response.content.text],
      [`request-${index}.json`, request.postData?.text ?? ''],
    ]);
    const { verdicts, gaps } = await read(attached, Object.fromEntries(files));
    expect([verdicts, gaps]).toEqual([whole.verdicts, {}]);
  });
});

const isDeletionOfEvents = ({ request }: Entry) => request.method === 'POST';
const [withoutHeaders, withoutType] = [{ headers: [] }, { mimeType: 'x-unknown' }];

/** What a recording lacks, its name in the report, and decisions that this leaves open. */
const LACKING: readonly (readonly [
  what: string,
  shape: Shape,
  gap: RecordingGap,
  isLacking: (entry: Entry) => boolean,
  open: readonly DecisionId[],
])[] = [
  [
    'the bodies of responses, as without content in Chromium',
    (entry) => withContent(entry, { text: undefined }),
    'no-response-body',
    () => true,
    ['error-body', 'final-cursor', 'name-matches', 'repeat-event-delete', 'unmatched-refs'],
  ],
  [
    'the ends of bodies, as in Firefox',
    (entry) => withContent(entry, { text: entry.response.content.text.slice(0, 8) }),
    'response-body-cut-off',
    () => true,
    ['error-body', 'final-cursor'],
  ],
  [
    'the bodies of refusals',
    (entry) => (isRefused(entry) ? withContent(entry, { text: undefined }) : entry),
    'no-response-body',
    isRefused,
    ['error-body'],
  ],
  [
    'the text of compressed bodies',
    (entry) => withContent(entry, { text: 'H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', encoding: 'base64' }),
    'response-body-not-text',
    () => true,
    ['error-body', 'final-cursor'],
  ],
  [
    'the header fields of responses, and their media types',
    (entry) =>
      withResponse(entry, {
        ...withoutHeaders,
        content: { ...entry.response.content, ...withoutType },
      }),
    'no-response-headers',
    () => true,
    ['error-body'],
  ],
  [
    'the header fields of requests',
    (entry) => withRequest(entry, withoutHeaders),
    'no-request-headers',
    () => true,
    ['unknown-token'],
  ],
  [
    'the bodies of requests',
    (entry) => withRequest(entry, { postData: undefined }),
    'no-request-body',
    isDeletionOfEvents,
    ['unmatched-refs', 'repeat-event-delete', 'deleted-events-order', 'unknown-body-members'],
  ],
  [
    'the ends of the bodies of requests',
    (entry) => withRequest(entry, { postData: { text: '{"refs":["re' } }),
    'request-body-cut-off',
    isDeletionOfEvents,
    ['unmatched-refs', 'repeat-event-delete', 'deleted-events-order', 'unknown-body-members'],
  ],
  [
    'times',
    (entry) => ({ ...entry, startedDateTime: '' }),
    'no-time',
    () => true,
    ['cursor-lifetime'],
  ],
  [
    'times but that of the export, as in Insomnia',
    (entry) => ({ ...entry, startedDateTime: '2026-04-01T12:00:00.000Z' }),
    'no-time',
    () => true,
    ['cursor-lifetime'],
  ],
  [
    'responses, as of blocked requests',
    (entry) => (isDeletionOfEvents(entry) ? withResponse(entry, ABORTED[0] ?? {}) : entry),
    'no-response',
    isDeletionOfEvents,
    ['unmatched-refs', 'repeat-event-delete', 'deleted-events-order', 'unknown-body-members'],
  ],
];

describe('settle concludes nothing from what a recording lacks:', () => {
  test.each(LACKING)('%s', async (_, shape, gap, isLacking, open) => {
    const report = await read(shape);
    expect(report.gaps).toHaveProperty(gap, entries.filter(isLacking).length);
    expect(wrongIn(report)).toEqual([]);
    const undecided = report.verdicts.filter(({ verdict }) => verdict === 'undecided');
    expect(undecided.map(({ decision }) => decision)).toEqual(expect.arrayContaining([...open]));
  });
});

/** Verdicts other than those of the whole recording that are not just open. */
function wrongIn({ verdicts }: SettleReport) {
  return verdicts.filter((verdict, at) => {
    const full = whole.verdicts[at];
    const isSame = verdict.verdict === full?.verdict && verdict.value === full.value;
    return !isSame && verdict.verdict !== 'undecided';
  });
}
