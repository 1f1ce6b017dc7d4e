const assert = require('node:assert/strict');
const { after, test } = require('node:test');
const { HttpResponse, http } = require('msw');
const { setupServer } = require('msw/node');

const interception = setupServer();
interception.listen({ onUnhandledRequest: 'error' });
after(() => interception.close());

// Required only now: the mock must not be caught in what intercepts Node's own client.
const { createMockServer } = require('usage-billing-mock');

const call = () =>
  fetch('https://billing.example.com/measurements', { headers: { Authorization: 'Bearer msw' } });

test('the mock answers behind MSW, state, faults and all', async () => {
  const server = await createMockServer();
  interception.use(
    http.all('https://billing.example.com/*', ({ request }) =>
      server.fetch(request).catch(() => HttpResponse.error()),
    ),
  );
  assert.equal((await (await call()).json()).total, 6476);
  server.account('msw').faults.add({ kind: 'reset' });
  await assert.rejects(call, TypeError);
  assert.equal(server.account('msw').journal.count(), 2);
});

test('the mock of a page answers behind MSW below its URL, and leaves other calls to others', async () => {
  const { createBrowserMock } = await import('usage-billing-mock/browser');
  const mock = await createBrowserMock();
  interception.resetHandlers(
    http.all(
      'https://billing.example.com/*',
      mock.resolver({ url: 'https://billing.example.com' }),
    ),
    http.get('https://*/elsewhere', () => new HttpResponse('other')),
  );
  assert.equal((await (await call()).json()).total, 6476);
  assert.equal(await (await fetch('https://other.example/elsewhere')).text(), 'other');
  mock.account('msw').faults.add({ kind: 'reset' });
  await assert.rejects(call, TypeError);
  assert.equal(mock.account('msw').journal.count(), 2);
});
