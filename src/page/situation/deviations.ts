import { call } from '../connection/call.js';
import type { Facts } from './use-situation.js';

/** Something that is not the default, and what ends it. */
export interface Deviation {
  readonly id: string;
  readonly words: string;
  end(account: string): Promise<unknown>;
}

/** A clock that differs by more than this was set. */
const CLOCK_TOLERANCE_MS = 5_000;

/** What of the situation is not the default. */
export function deviationsOf({ faults, latency, clock, decisions }: Facts): Deviation[] {
  return [...faultsIn(faults), ...latencyIn(latency), ...clockIn(clock), ...decisionsIn(decisions)];
}

function faultsIn(faults: Facts['faults']): Deviation[] {
  return faults
    .filter(({ times, fired }) => times === 'always' || fired < times)
    .map(({ id, kind, status, operationId, path }) => ({
      id: `fault ${id}`,
      words: `Fault ${status ?? kind}${(operationId ?? path) ? ` on ${operationId ?? path}` : ''}`,
      end: (account) => call(`/faults/${id}`, { method: 'DELETE', account }),
    }));
}

function latencyIn({ minMs, maxMs }: Facts['latency']): Deviation[] {
  if (maxMs === 0) return [];
  return [
    {
      id: 'latency',
      words: `Latency ${minMs === maxMs ? maxMs : `${minMs}–${maxMs}`} ms`,
      end: (account) => call('/latency', { method: 'DELETE', account }),
    },
  ];
}

function clockIn({ now, isFrozen }: Facts['clock']): Deviation[] {
  const isSet = Math.abs(new Date(now).getTime() - Date.now()) > CLOCK_TOLERANCE_MS;
  if (!isFrozen && !isSet) return [];
  return [
    {
      id: 'clock',
      words: `Clock ${isFrozen ? 'frozen at' : 'set to'} ${now}`,
      end: (account) => call('/clock', { method: 'PUT', account, body: { real: true } }),
    },
  ];
}

function decisionsIn(decisions: Facts['decisions']): Deviation[] {
  return decisions
    .filter(({ value, default: byDefault, isServerWide }) => value !== byDefault && !isServerWide)
    .map(({ id, value, default: byDefault }) => ({
      id: `decision ${id}`,
      words: `${id}: ${value}`,
      end: (account) => call('/decisions', { method: 'PATCH', account, body: { [id]: byDefault } }),
    }));
}
