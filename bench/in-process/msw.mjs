// Handlers over the plain service, called through the global fetch.
import { readFileSync } from 'node:fs';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createService } from '../servers/service.mjs';

export async function open({ records }) {
  const service = createService(JSON.parse(readFileSync(records, 'utf8')));
  const reply = (body) =>
    body ? HttpResponse.json(body) : HttpResponse.json({ detail: 'Not found' }, { status: 404 });
  setupServer(
    http.get('*/customers/:id', ({ params }) => reply(service.customer(params.id))),
    http.get('*/measurements', ({ request }) =>
      reply(service.measurements(Object.fromEntries(new URL(request.url).searchParams))),
    ),
    http.post('*/events/delete-by-refs', async ({ request }) => {
      const { refs } = await request.json();
      return reply(service.deleteEvents(request.headers.get('authorization'), refs));
    }),
  ).listen();
  return fetch;
}
