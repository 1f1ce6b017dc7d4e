// openapi-backend as a mock: requests are validated, responses are the examples of the document.
import { parseArgs } from 'node:util';
import express from 'express';
import { OpenAPIBackend } from 'openapi-backend';

const { values } = parseArgs({
  options: { port: { type: 'string' }, document: { type: 'string' } },
});
const api = new OpenAPIBackend({ definition: values.document, quick: true });
api.register({
  notFound: (_context, _request, response) => response.sendStatus(404),
  validationFail: (context, _request, response) => response.status(400).json(context.validation),
  notImplemented(context, _request, response) {
    const { status, mock } = api.mockResponseForOperation(context.operation.operationId);
    return response.status(status).json(mock);
  },
});
api.registerSecurityHandler('accessToken', (context) => 'authorization' in context.request.headers);
await api.init();

const app = express();
app.use(express.json());
app.use((request, response) => api.handleRequest(request, request, response));
app.listen(Number(values.port), '127.0.0.1');
