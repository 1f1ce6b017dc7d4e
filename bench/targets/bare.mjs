// Limit (a): only node:http and JSON.stringify, without validation or a framework.
import { createServer } from 'node:http';
import { port, readRecords } from './records.mjs';
import { createService } from './service.mjs';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

const service = createService(readRecords());

/** @type {[RegExp, (part: string, token: string, body: string) => unknown][]} */
const OPERATIONS = [
  [/^GET \/customers\/name\/([^/?]+)$/, (name) => service.customerByName(decodeURIComponent(name))],
  [/^GET \/customers\/([^/?]+)$/, (id) => service.customer(decodeURIComponent(id))],
  [/^GET \/measurements(?:\?(.*))?$/, (query) => service.measurements(parseQuery(query))],
  [
    /^POST \/events\/delete-by-refs$/,
    (_none, token, body) => service.deleteEvents(token, JSON.parse(body).refs),
  ],
];

createServer(async (request, response) => {
  const line = `${request.method} ${request.url}`;
  const token = request.headers.authorization;
  const body = request.method === 'POST' ? await readBody(request) : '';
  if (!token) return send(response, 401, { detail: 'No token' });
  for (const [pattern, operation] of OPERATIONS) {
    const match = pattern.exec(line);
    const found = match && operation(match[1] ?? '', token, body);
    if (found) return send(response, 200, found);
  }
  return send(response, 404, { detail: 'Not found' });
}).listen(port, '127.0.0.1');

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {unknown} body
 */
function send(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** @param {string} query */
function parseQuery(query) {
  return Object.fromEntries(new URLSearchParams(query));
}

/** @param {IncomingMessage} request */
async function readBody(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
