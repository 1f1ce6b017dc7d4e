import type { FaultRequest, Routes, StubRequest } from '../../src/index.js';
import { DOORS, type Door, type Seen } from '../support/doors.js';
import { DISTORTING, delayOf, FAULTS_IN_PHASES } from '../support/faults.js';

const CONTRACT = '/contracts/65b000000000000000000001';
const JSON_TYPE = 'application/json; charset=utf-8';
const LOCATION = { Location: '/next', 'Set-Cookie': 'session=1' };
const TEXT = { ...LOCATION, 'Content-Type': 'text/plain' };
const HTML = { 'content-type': 'text/html' };

/** Sent to Vite as text, so it must refer to nothing outside it. */
const routes: Routes = ({ url }) => {
  const [, name] = url.split('/routed');
  if (name === '-json') return Response.json(12);
  if (name === '-empty') return new Response(null, { status: 204 });
  const headers = new Headers({ Location: '/next', 'Content-Type': 'text/plain; charset=utf-8' });
  for (const cookie of ['session=1', 'theme=dark']) headers.append('Set-Cookie', cookie);
  return name === '' ? new Response('routed 🙂', { status: 201, headers }) : undefined;
};

/** The stubs, and what `malformed-json` leaves of their text. */
const STUBS: readonly (Omit<StubRequest, 'method'> & { readonly malformed: string })[] = [
  { path: '/moved', status: 201, headers: TEXT, body: 'plain 🙂', malformed: 'plain ' },
  { path: '/page', headers: HTML, body: '<p>Hi</p>', malformed: '<p>Hi</p' },
  { path: '/object', headers: LOCATION, body: { a: [1] }, malformed: '{"a":[1]' },
  { path: '/number', body: 12, malformed: '[1' },
  { path: '/digits', headers: { 'Content-Type': 'text/plain' }, body: '12\n', malformed: '[1' },
  { path: '/null', body: null, malformed: 'nul' },
  { path: '/empty', headers: LOCATION, malformed: '' },
  { path: '/blank', headers: TEXT, body: '', malformed: '' },
  { path: '/gone', status: 204, headers: LOCATION, malformed: '' },
];

/** What responds: the calls, and what `malformed-json` leaves of each response. */
const RESPONDING = [
  ...STUBS.map(({ path, malformed }) => ({ path, malformed })),
  { path: '/routed', malformed: 'routed ' },
  { path: '/routed-json', malformed: '[1' },
  { path: '/routed-empty', malformed: '' },
];

/** Those that differ in their delivery. */
const FEW = RESPONDING.filter(({ path }) => /^\/(moved|object|empty|gone|routed)$/.test(path));

const stubs = STUBS.map(({ malformed, ...stub }) => ({
  method: 'GET' as const,
  needsToken: true,
  ...stub,
}));

const OF_SOCKETS = { reset: 'read ECONNRESET', empty: 'socket hang up', truncated: 'aborted' };

/** Node cannot reset a connection below TLS, only close it. */
const WITHOUT_RESET = { ...OF_SOCKETS, reset: OF_SOCKETS.empty };

const STREAM_CLOSED = 'Stream closed with error code NGHTTP2_INTERNAL_ERROR';

const OF_FETCH = {
  reset: 'fetch failed: ECONNRESET, read ECONNRESET',
  empty: 'fetch failed: UND_ERR_SOCKET, other side closed',
  truncated: 'terminated: UND_ERR_SOCKET, other side closed',
};

/** The errors of a caller if there is no response, and if it breaks off. */
const FAILURES: Readonly<Record<keyof typeof DOORS, Readonly<Record<string, string>>>> = {
  'a socket': OF_SOCKETS,
  'a socket below TLS': WITHOUT_RESET,
  "somebody else's Express app": OF_SOCKETS,
  "somebody else's Express app below TLS": WITHOUT_RESET,
  'the global fetch': OF_FETCH,
  'server.fetch': OF_FETCH,
  'supertest upon server.app': OF_SOCKETS,
  'HTTP/1.1 below Vite': WITHOUT_RESET,
  'HTTP/2 below Vite': { reset: STREAM_CLOSED, empty: STREAM_CLOSED, truncated: STREAM_CLOSED },
};

const PROBLEM = expect.objectContaining({
  'content-type': 'application/problem+json',
  'retry-after': '7',
});

/** The list of faults. */
interface Listed {
  readonly faults: readonly { readonly id: number; readonly fired: number }[];
}

type Expected = Omit<Seen, 'durationMs'>;

/** The effect of a fault on a response, as docs/faults.md describes it. */
function distorted(
  { kind }: FaultRequest,
  whole: Expected,
  malformed: string,
  failures: Readonly<Record<string, string>>,
): Expected {
  const { fields, text } = whole;
  const { [kind]: failure } = failures;
  switch (kind) {
    case 'status':
      return { status: 503, fields: PROBLEM, text: expect.any(String), failure };
    case 'respond':
      return {
        status: 202,
        fields: expect.objectContaining({ 'content-type': JSON_TYPE, 'x-own': 'yes' }),
        text: '[null]',
        failure,
      };
    case 'reset':
    case 'empty':
      return { status: undefined, fields: {}, text: '', failure };
    case 'malformed-json': {
      const length = String(Buffer.byteLength(malformed));
      const changed = 'content-length' in fields && { 'content-length': length };
      return { ...whole, fields: { ...fields, ...changed }, text: malformed };
    }
    case 'truncated': {
      const bytes = Buffer.from(text);
      if (bytes.length === 0) return whole;
      return { ...whole, text: bytes.subarray(0, Math.ceil(bytes.length / 2)).toString(), failure };
    }
    default:
      return whole;
  }
}

export type DoorName = keyof typeof DOORS;

/** Tests what a caller at a door sees of each fault, over many kinds of responses or few. */
export function describeDeliveries(name: DoorName, responding: 'many' | 'few'): void {
  let door: Door;
  let opened = 0;
  beforeAll(async () => {
    door = await DOORS[name]({ stubs, routes });
  });
  afterAll(() => door.close());

  /** An account with a frozen clock, and functions to call the service and control plane as it. */
  async function openAccount() {
    opened += 1;
    const headers = { Authorization: `Bearer deliveries-${opened}` };
    const call = (path: string, method = 'GET') => door.call({ method, path, headers });
    const control = async (method: string, path: string, value?: object) => {
      const type = value && { 'Content-Type': 'application/json' };
      const body = value && JSON.stringify(value);
      const asked = { method, path: `/__control${path}`, headers: { ...headers, ...type }, body };
      return JSON.parse((await door.call(asked)).text);
    };
    await control('PUT', '/clock', { frozenAt: '2030-01-02T03:04:05.000Z' });
    return { call, control };
  }

  /** Removes the fault once it holds a request. */
  async function release(control: (method: string, path: string) => Promise<Listed>) {
    let fault: Listed['faults'][number] | undefined;
    while (!fault?.fired) [fault] = (await control('GET', '/faults')).faults;
    await control('DELETE', `/faults/${fault.id}`);
  }

  /** The response to a call without and with a fault. */
  async function meet(path: string, method: string, fault: FaultRequest) {
    const [one, other] = [await openAccount(), await openAccount()];
    const { durationMs: _, ...whole } = await other.call(path, method);
    await one.control('POST', '/faults', { path, ...fault });
    const calling = one.call(path, method);
    if (fault.kind === 'hold') await release(one.control);
    const { durationMs, ...seen } = await calling;
    return { ...one, whole, seen, durationMs };
  }

  test.each(FAULTS_IN_PHASES)('%j does to an operation what its kind says', async (fault) => {
    const { kind, phase } = fault;
    const { whole, seen, durationMs, call, control } = await meet(CONTRACT, 'DELETE', fault);
    expect(whole).toMatchObject({ status: 200, fields: { 'content-type': JSON_TYPE } });
    expect(seen).toEqual(distorted(fault, whole, whole.text.slice(0, -1), FAILURES[name]));
    expect(durationMs).toBeGreaterThan(delayOf(fault) - 5);

    const isLost = kind in FAILURES[name];
    let [noted] = (await control('GET', '/requests')).requests;
    while (!noted.outcome) [noted] = (await control('GET', '/requests')).requests;
    expect(noted).toMatchObject({ fault: 1, outcome: isLost ? 'aborted' : 'answered' });
    expect(noted.status).toBe(seen.status);

    const hasRun = phase === 'after' || kind === 'delay' || kind === 'hold';
    expect((await call(CONTRACT, 'DELETE')).status).toBe(hasRun ? 404 : 200);
  });

  test.each(responding === 'many' ? RESPONDING : FEW)(
    '$path is distorted under its own header fields',
    async ({ path, malformed }) => {
      for (const fault of DISTORTING) {
        const { whole, seen, durationMs } = await meet(path, 'GET', fault);
        expect([fault, seen]).toEqual([fault, distorted(fault, whole, malformed, FAILURES[name])]);
        expect(durationMs).toBeGreaterThan(delayOf(fault) - 5);
      }
    },
  );

  test('a stub and a route have their Location, cookies and type', async () => {
    const { call } = await openAccount();
    expect(await call('/moved')).toMatchObject({
      status: 201,
      fields: { location: '/next', 'set-cookie': ['session=1'], 'content-type': 'text/plain' },
      text: 'plain 🙂',
    });
    expect(await call('/routed')).toMatchObject({
      status: 201,
      fields: { location: '/next', 'set-cookie': ['session=1', 'theme=dark'] },
      text: 'routed 🙂',
    });
  });
}
