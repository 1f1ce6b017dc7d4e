const { createMockServer } = require('usage-billing-mock');
const { useMockServer } = require('usage-billing-mock/jest');

const mock = useMockServer();

/** The response to a request of the page, as axios takes it from a browser. */
function request(method, path) {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, mock.url + path);
    xhr.setRequestHeader('Authorization', `Bearer ${mock.token}`);
    xhr.onload = () => resolve({ status: xhr.status, body: xhr.responseText });
    xhr.onerror = () => reject(new Error(`${method} ${path} failed.`));
    xhr.send();
  });
}

test('a page deletes a contract', async () => {
  const contractId = '65b000000000000000000001';
  const response = await request('DELETE', `/contracts/${contractId}`);
  await expect(response).toMatchContract('deleteContract');
  expect(mock).toHaveReceived('deleteContract', { contractId });
});

test('a page that is given a fetch calls in process', async () => {
  expect(globalThis).not.toHaveProperty('Response');
  const headers = { Authorization: `Bearer ${mock.token}` };
  for (const limit of [10, 1000]) {
    const response = await mock.fetch(`/measurements?limit=${limit}`, { headers });
    await expect(response).toMatchContract('listMeasurements');
    expect((await response.json()).measurements).toHaveLength(limit);
  }
});

test("such a call takes a signal of the page, and fails with the page's reason", async () => {
  const headers = { Authorization: `Bearer ${mock.token}` };
  const { signal } = new AbortController();
  expect((await mock.fetch('/measurements', { headers, signal })).status).toBe(200);
  await mock.account.faults.add({ kind: 'delay', delayMs: 60_000 });
  const abortion = new AbortController();
  const call = mock.fetch('/measurements', { headers, signal: abortion.signal });
  abortion.abort();
  await expect(call).rejects.toBe(abortion.signal.reason);
});

test('a mistake in such a call is an error of fetch that names it', async () => {
  await expect(mock.fetch('/measurements', { body: 'x' })).rejects.toThrow(/GET/);
});

test('such a call is answered under fake timers', async () => {
  jest.useFakeTimers();
  const response = await mock.fetch('/customers/nobody', {
    headers: { Authorization: `Bearer ${mock.token}` },
  });
  expect(response.status).toBe(404);
});

test('the library is imported by its name, though jsdom resolves names as a browser does', async () => {
  const server = await createMockServer({ dataset: 'empty' });
  expect(server.account('a-page').customers.list()).toEqual([]);
});
