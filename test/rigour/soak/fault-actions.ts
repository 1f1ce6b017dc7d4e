import { get, type IncomingMessage } from 'node:http';
import type { Outcome } from '../server/call.js';
import type { Action } from './service-actions.js';
import { jsonOf, type Tenant, WrongResponse } from './tenant.js';

/** A fault, and what a client sees. */
interface Fault {
  readonly kind: string;
  readonly status?: number;
  readonly delayMs?: number;
  readonly isSeen: (outcome: Outcome) => boolean;
}

const isWhole = ({ status, failure }: Outcome) => status === 200 && failure === undefined;
const isBroken = ({ failure }: Outcome) => failure !== undefined;

const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 503, isSeen: ({ status }) => status === 503 },
  { kind: 'delay', delayMs: 20, isSeen: isWhole },
  { kind: 'slow', delayMs: 20, isSeen: isWhole },
  { kind: 'reset', isSeen: isBroken },
  { kind: 'empty', isSeen: isBroken },
  { kind: 'truncated', isSeen: isBroken },
  {
    kind: 'malformed-json',
    isSeen: (outcome) => isWhole(outcome) && Object.keys(jsonOf(outcome)).length === 0,
  },
];

/** Adds a fault, and checks that it fires only once. */
async function meetFault(tenant: Tenant): Promise<void> {
  const { isSeen, ...fault } = tenant.pick(FAULTS) ?? { isSeen: isWhole, kind: 'delay' };
  const operationId = 'listMeasurements';
  const { id } = jsonOf(await tenant.control('POST', '/faults', { ...fault, operationId }));
  const outcome = await tenant.serve('GET', '/measurements?limit=3', undefined, true);
  tenant.same(`a response by the fault ${fault.kind}`, isSeen(outcome), true, outcome);
  tenant.expect(await tenant.serve('GET', '/measurements?limit=3'), { status: 200 });
  const { faults } = jsonOf(await tenant.control('GET', '/faults'));
  const fired = faults?.find((one) => one.id === id);
  tenant.same('how often it fired', fired?.fired, 1);
  await tenant.control('DELETE', `/faults/${id}`);
}

/** Loses a response, and checks that the operation was done nevertheless. */
async function loseResponse(tenant: Tenant): Promise<void> {
  const { model } = tenant;
  const contract = model.world.contracts.find((one) => !model.deletedContracts.has(one));
  if (contract === undefined) return;
  const fault = { kind: 'reset', phase: 'after', operationId: 'deleteContract' };
  const { id } = jsonOf(await tenant.control('POST', '/faults', fault));
  const lost = await tenant.serve('DELETE', `/contracts/${contract}`, undefined, true);
  tenant.same('a lost response', isBroken(lost), true, lost);
  model.deletedContracts.add(contract);
  const again = await tenant.serve('DELETE', `/contracts/${contract}`);
  tenant.expect(again, { status: model.repeatDelete === 'gone' ? 410 : 404 });
  await tenant.control('DELETE', `/faults/${id}`);
}

async function waitLatency(tenant: Tenant): Promise<void> {
  await tenant.control('PUT', '/latency', { latency: '5..10' });
  const outcome = await tenant.serve('GET', '/measurements?limit=1', undefined, true);
  tenant.expect(outcome, { status: 200 });
  tenant.same('a response held back', outcome.durationMs >= 4, true, outcome);
  await tenant.control('DELETE', '/latency');
}

/** Follows the account's requests until one is shown, then leaves. */
async function followRequests(tenant: Tenant): Promise<void> {
  const response = await openStream(tenant, '/requests/stream?responses=true');
  try {
    await Promise.all([
      seen(response, '"path":"/customers/shown-in-the-stream"'),
      tenant.serve('GET', '/customers/shown-in-the-stream'),
    ]);
  } finally {
    response.destroy();
  }
}

/** Begins calls and leaves before they are answered, under a token without a model. */
async function leaveEarly(tenant: Tenant): Promise<void> {
  const { url, pace } = tenant.surroundings;
  await pace.turn();
  for (const path of [
    '/measurements?limit=1000',
    '/__control/state',
    '/__control/requests/stream?of=all',
  ]) {
    const sent = get(`${url}${path}`, {
      agent: false,
      headers: { Authorization: `Bearer left-${tenant.token}` },
    });
    sent.on('error', () => undefined);
    sent.on('response', (response) => response.on('error', () => undefined).resume());
    // Some leave before the response begins, some in the middle of it.
    setTimeout(() => sent.destroy(), tenant.random() * 10);
  }
}

async function openStream(tenant: Tenant, path: string): Promise<IncomingMessage> {
  const { url, pace } = tenant.surroundings;
  await pace.turn();
  return opened(`${url}/__control${path}`, { Authorization: `Bearer ${tenant.token}` });
}

/** Begins a call, and resolves to its response when that begins. */
function opened(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers }, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    }).on('error', reject);
  });
}

/** Waits until the stream has shown this. */
function seen(response: IncomingMessage, expected: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(
      () => reject(new WrongResponse(`the stream has not shown ${expected}: ${text.slice(-500)}`)),
      30_000,
    );
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (!text.includes(expected)) return;
      clearTimeout(timer);
      resolve();
    });
    response.once('close', () => clearTimeout(timer));
  });
}

/** Opens a stream of all requests that nobody reads. */
export async function openUnread(url: string): Promise<IncomingMessage> {
  return (await opened(`${url}/__control/requests/stream?of=all`, {})).pause();
}

/** Calls that break, take long or are abandoned, with weights. */
export const FAULT_ACTIONS: readonly (readonly [weight: number, act: Action])[] = [
  [5, meetFault],
  [2, loseResponse],
  [1, waitLatency],
  [2, followRequests],
  [1, leaveEarly],
];
