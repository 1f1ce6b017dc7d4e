import { createBrowserMock } from './browser.mjs';

const mock = await createBrowserMock({ dataset: 'demo', persist: 'session', recentBodies: 100 });
mock.install({ url: 'billing' });

/** Calls the service, and once more if no response comes. */
async function call(method, path) {
  const init = { method, headers: { Authorization: 'Bearer demo' } };
  const response = await fetch(`billing${path}`, init).catch(() => fetch(`billing${path}`, init));
  const body = await response.json();
  if (response.ok) return body;
  throw Object.assign(new Error(body.detail), { status: response.status });
}

async function findCustomer(name) {
  const { customer } = await call('GET', `/customers/name/${encodeURIComponent(name)}`);
  return [customer.name, customer.address?.city].filter(Boolean).join(', ');
}

async function deleteContract(id) {
  try {
    const { contract } = await call('DELETE', `/contracts/${encodeURIComponent(id)}`);
    return `Deleted at ${contract.deletedAt}.`;
  } catch (error) {
    // It may be gone because the response to the first attempt was lost.
    if (error.status === 404) return 'There is no such contract any more.';
    throw error;
  }
}

const byId = (id) => document.getElementById(id);

function showOnSubmit(form, act) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const output = form.querySelector('output');
    output.textContent = '…';
    output.textContent = await act(form.elements.entered.value).catch(({ message }) => message);
  });
  // Until now the browser itself would have sent the form.
  form.querySelector('button').disabled = false;
}

const cursors = [''];

async function showMeasurements() {
  const [alert] = document.querySelectorAll('[role="alert"]');
  alert.textContent = '';
  try {
    const cursor = cursors.at(-1);
    const page = await call('GET', `/measurements?limit=12${cursor && `&cursor=${cursor}`}`);
    document.querySelector('caption').textContent = `${page.total} measurements`;
    document.querySelector('tbody').replaceChildren(...page.measurements.map(rowOf));
    byId('previous').disabled = cursors.length === 1;
    byId('next').disabled = !page.hasMore;
    byId('next').onclick = () => turnTo([...cursors, page.nextCursor]);
    byId('previous').onclick = () => turnTo(cursors.slice(0, -1));
  } catch ({ message }) {
    alert.textContent = message;
  }
}

function turnTo(next) {
  cursors.splice(0, cursors.length, ...next);
  return showMeasurements();
}

function rowOf({ usageDate: { year, month, day } = {}, meterId, value }) {
  const row = document.createElement('tr');
  for (const text of [[year, month, day].join('-'), meterId, value]) {
    row.insertCell().textContent = text ?? '';
  }
  return row;
}

showOnSubmit(byId('customer'), findCustomer);
showOnSubmit(byId('contract'), deleteContract);
await showMeasurements();
document.querySelector('iframe').src = 'billing/__control/ui.html';
