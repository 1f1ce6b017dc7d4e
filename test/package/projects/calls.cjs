// The calls of each project under fake timers. Every call must be answered, even a delayed one,
// although no test advances the clock.
const { once } = require('node:events');
const http = require('node:http');

const REFS = { refs: ['acme-2026-03-31-001'] };
const CALLS = [
  ['GET', '/measurements?limit=1000'],
  ['POST', '/events/delete-by-refs', JSON.stringify(REFS)],
  ['GET', '/customers/nobody'],
  ['GET', '/customers/name/Acme%20Corporation'],
];
const WAYS = { inProcess, overSocket, byHttpClient };

/** The statuses of the calls, by each way; the last response is delayed. */
exports.EXPECTED = Object.fromEntries(Object.keys(WAYS).map((way) => [way, [200, 200, 404, 200]]));

/** Calls a started server, or a kit's mock, in every way; returns the statuses. */
exports.callInEveryWay = async function callInEveryWay(started) {
  const { url, fetch, server = started } = started;
  const statuses = {};
  for (const [name, call] of Object.entries(WAYS)) {
    const token = started.newToken?.() ?? `fake-timers-${name}`;
    const { faults } = server.account(token);
    await faults.add({ operationId: 'getCustomerByName', kind: 'delay', delayMs: 20 });
    statuses[name] = [];
    for (const [method, path, body] of CALLS) {
      const headers = {
        Authorization: `Bearer ${token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      };
      statuses[name].push(await call({ url, fetch }, path, { method, headers, body }));
    }
  }
  return statuses;
};

async function inProcess(server, path, init) {
  const response = await server.fetch(path, init);
  await response.text();
  return response.status;
}

async function overSocket(server, path, init) {
  const response = await fetch(server.url + path, init);
  await response.text();
  return response.status;
}

async function byHttpClient(server, path, { method, headers, body }) {
  const request = http.request(server.url + path, { method, headers });
  request.end(body);
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}
