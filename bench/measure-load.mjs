// The CPU time of a request over a socket: ten connections, one request at a time on each.
import autocannon from 'autocannon';
import { countOf, inTurn, operationsOf } from './data.mjs';
import { start } from './servers/start.mjs';

const SERVED = ['ours', 'by hand', 'json-server'];

export async function measureLoad({ add, data, say }) {
  const servers = new Map();
  for (const name of SERVED) servers.set(name, await start(name, data));
  for (const operation of operationsOf(data)) {
    say(operation.name);
    for (const [name, server] of servers) {
      const requests = name === 'json-server' ? operation.ofJsonServer : operation.requests;
      if (!requests) continue;
      const next = inTurn(requests);
      await check(server, next(), operation.count);
      await loadInParts(server, next, operation);
      add(`${operation.name}, CPU µs`, name, await loadInParts(server, next, operation));
    }
  }
  for (const [name, server] of servers) {
    add('memory after load, MB', name, server.residentMb());
    await server.stop();
  }
}

/**
 * Sends each request once, closes the accounts that this has opened, and goes on, so that each delete
 * finds its records. Returns what one request costs the server.
 */
async function loadInParts(server, next, { requests, amount }) {
  const part = requests.length === 1 ? amount : requests.length;
  let cpuUs = 0;
  for (let left = amount; left > 0; left -= part) {
    const sent = Math.min(left, part);
    cpuUs += sent * (await load(server, next, { amount: sent })).cpuUs;
    await server.closeAccounts();
  }
  return cpuUs / amount;
}

/** Sends requests; returns what one costs the server. Throws if a response is not a 200. */
export async function load(server, next, options) {
  const cpuBefore = server.cpuMs();
  const { non2xx, errors, requests, latency, statusCodeStats } = await autocannon({
    ...{ url: server.url, connections: 10, ...options },
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  if (non2xx + errors > 0)
    throw new Error(`${server.url}: ${errors} errors, ${JSON.stringify(statusCodeStats)}`);
  const cpuUs = (1_000 * (server.cpuMs() - cpuBefore)) / requests.total;
  return { cpuUs, p99: latency.p99 };
}

async function check({ url }, { path, ...request }, count) {
  const body = await (await fetch(url + path, request)).json();
  if (countOf(body) < count)
    throw new Error(`${url}${path} has ${countOf(body)} records, not ${count}.`);
}
