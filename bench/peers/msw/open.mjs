// MSW in process: handlers over the plain service, asked by the global fetch that they stand in for.
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createService } from '../../targets/service.mjs';

/** What answers requests in this process. */
export async function open(records) {
  const service = createService(records);
  const reply = (body) =>
    body ? HttpResponse.json(body) : HttpResponse.json({ detail: 'Not found' }, { status: 404 });
  const tokenOf = (request) => request.headers.get('authorization');
  setupServer(
    http.get('*/customers/name/:name', ({ params }) => reply(service.customerByName(params.name))),
    http.get('*/customers/:id', ({ params }) => reply(service.customer(params.id))),
    http.get('*/measurements', ({ request }) =>
      reply(service.measurements(Object.fromEntries(new URL(request.url).searchParams))),
    ),
    http.delete('*/contracts/:id', ({ params, request }) =>
      reply(service.deleteContract(tokenOf(request), params.id)),
    ),
    http.post('*/events/delete-by-refs', async ({ request }) => {
      const { refs } = await request.json();
      return reply(service.deleteEvents(tokenOf(request), refs));
    }),
  ).listen();
  return fetch;
}
