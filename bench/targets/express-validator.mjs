// Limit (c): only Express 5, and express-openapi-validator for requests and responses.
import express from 'express';
import { middleware } from 'express-openapi-validator';
import { document, port, readRecords } from './records.mjs';
import { addRoutes } from './routes.mjs';

/** @import { ErrorRequestHandler } from 'express' */

const app = express();
app.use(express.json({ limit: '10mb' }));
app.use(middleware({ apiSpec: document, validateRequests: true, validateResponses: true }));
addRoutes(app, readRecords());
/** @type {ErrorRequestHandler} */
const onError = (error, _request, response, _next) =>
  response.status(error.status ?? 500).json({ detail: error.message });
app.use(onError);
app.listen(port, '127.0.0.1');
