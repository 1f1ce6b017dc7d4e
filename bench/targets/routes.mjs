// The measured operations as Express routes.
import { createService } from './service.mjs';

/** @import { Express, Response } from 'express' */
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
  app.get('/customers/name/:name', (request, response) =>
    reply(response, service.customerByName(request.params.name)),
  );
  app.get('/customers/:id', (request, response) =>
    reply(response, service.customer(request.params.id)),
  );
  app.get('/measurements', (request, response) =>
    reply(response, service.measurements(request.query)),
  );
  app.post('/events/delete-by-refs', (request, response) =>
    reply(response, service.deleteEvents(request.headers.authorization, request.body.refs)),
  );
}
