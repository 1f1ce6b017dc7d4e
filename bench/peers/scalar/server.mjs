// @scalar/mock-server on Node: responses are the examples of the document.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { createMockServer } from '@scalar/mock-server';

const { values } = parseArgs({
  options: { port: { type: 'string' }, document: { type: 'string' } },
});
const document = await readFile(values.document, 'utf8');
const { fetch } = await createMockServer({ document });
serve({ fetch, port: Number(values.port), hostname: '127.0.0.1' });
