import { cpus } from 'node:os';
import autocannon from 'autocannon';
import { type ScaleOut, startScaleOut } from '../../support/scale-out.js';
import { cpuSeconds, processesBelow } from '../server/cpu-time.js';

/** Figures of some mocks behind nginx under full load. */
export interface Measurement {
  readonly mocks: number;
  readonly requestsPerSecond: number;
  /** The cores that the machine's other programs left. */
  readonly cores: number;
  /** The CPU time of one request in all mocks together, in nginx, and in the load generator. */
  readonly cpuMs: { readonly mock: number; readonly nginx: number; readonly generator: number };
}

const ACCOUNTS = 1_000;
const CONNECTIONS = 32;
/** Enough for each mock that V8 has compiled its code, however slow the machine is. */
const WARM_UP_REQUESTS = 8_000;

/** Starts mocks behind nginx, and loads them for some seconds. */
export async function measure(mocks: number, seconds: number): Promise<Measurement> {
  const example = await startScaleOut('--shards', String(mocks));
  try {
    await load(example, { amount: WARM_UP_REQUESTS * mocks });
    const before = cpuSecondsOf(example);
    const rps = await load(example, { duration: seconds });
    const after = cpuSecondsOf(example);
    const used = (part: keyof typeof after) => after[part] - before[part];
    const requests = rps * used('elapsed');
    const own = used('mock') + used('nginx') + used('generator');
    const perRequestMs = (part: keyof typeof after) => (used(part) * 1_000) / requests;
    return {
      mocks,
      requestsPerSecond: rps,
      cores: (own + used('idle')) / used('elapsed'),
      cpuMs: {
        mock: perRequestMs('mock'),
        nginx: perRequestMs('nginx'),
        generator: perRequestMs('generator'),
      },
    };
  } finally {
    await example.stop();
  }
}

/** Reads pages of measurements, of one account after another; returns the requests a second. */
async function load({ url }: ScaleOut, until: { amount?: number; duration?: number }) {
  let count = 0;
  function setupRequest(request: object) {
    count += 1;
    return { ...request, headers: { authorization: `Bearer load-${count % ACCOUNTS}` } };
  }
  const requests = [{ path: '/measurements?limit=10', setupRequest }];
  const { non2xx, errors, ...told } = await autocannon({
    ...{ url, connections: CONNECTIONS, requests, ...until },
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests have failed.`);
  return told.requests.total / told.duration;
}

/** The seconds of CPU time that each process has used, of idle cores, and on the clock. */
function cpuSecondsOf({ pid, mocks }: ScaleOut) {
  const pids = mocks.map((mock) => mock.pid);
  const idleMs = cpus().reduce((sum, { times }) => sum + times.idle, 0);
  const used = {
    mock: 0,
    nginx: 0,
    generator: 0,
    idle: idleMs / 1_000,
    elapsed: performance.now() / 1_000,
  };
  for (const one of processesBelow(pid))
    used[pids.includes(one) ? 'mock' : 'nginx'] += cpuSeconds(one) || 0;
  const { user, system } = process.cpuUsage();
  used.generator = (user + system) / 1e6;
  return used;
}
