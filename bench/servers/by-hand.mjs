// What a user would write with the packages that this mock is made of: Express 5 routes over plain
// maps, and express-openapi-validator for requests and responses.
import { readFileSync } from 'node:fs';
import express from 'express';
import { middleware } from 'express-openapi-validator';
import { createService } from './service.mjs';

const [port, records] = process.argv.slice(2);
const apiSpec = new URL('../../openapi.yaml', import.meta.url).pathname;
const service = createService(JSON.parse(readFileSync(records, 'utf8')));
const app = express();
app.use(express.json({ limit: '10mb' }));
app.use(middleware({ apiSpec, validateRequests: true, validateResponses: true }));

const reply = (response, body) =>
  body ? response.json(body) : response.status(404).json({ detail: 'Not found' });
app.get('/customers/:id', ({ params }, response) => reply(response, service.customer(params.id)));
app.get('/measurements', ({ query }, response) => reply(response, service.measurements(query)));
app.post('/events/delete-by-refs', ({ headers, body }, response) =>
  reply(response, service.deleteEvents(headers.authorization, body.refs)),
);
app.use((error, _request, response, _next) =>
  response.status(error.status ?? 500).json({ detail: error.message }),
);
app.listen(Number(port), '127.0.0.1');
