// The five operations as routes of Express.
import { createService } from './service.mjs';

/** @import { Express, Request, Response } from 'express' */
/** @import { Records } from '../types.js' */

/**
 * @param {Express} app
 * @param {Records} records
 */
export function addRoutes(app, records) {
  const service = createService(records);
  /**
   * @param {Response} response
   * @param {unknown} body
   */
  const reply = (response, body) => {
    if (body) response.json(body);
    else response.status(404).json({ detail: 'Not found' });
  };
  const tokenOf = (/** @type {Request} */ request) => request.headers.authorization;
  app.get('/customers/name/:name', (request, response) =>
    reply(response, service.customerByName(request.params.name)),
  );
  app.get('/customers/:id', (request, response) =>
    reply(response, service.customer(request.params.id)),
  );
  app.get('/measurements', (request, response) =>
    reply(response, service.measurements(request.query)),
  );
  app.delete('/contracts/:id', (request, response) =>
    reply(response, service.deleteContract(tokenOf(request), request.params.id)),
  );
  app.post('/events/delete-by-refs', (request, response) =>
    reply(response, service.deleteEvents(tokenOf(request), request.body.refs)),
  );
}
