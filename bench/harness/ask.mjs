// One request on a connection of its own, and what came back.
import { request as open } from 'node:http';

/** @import { Answer, Asked } from '../types.js' */

/**
 * Resolves to status, text and, where it is JSON, the body.
 * @param {number} port
 * @param {Asked} asked
 * @returns {Promise<Answer>}
 */
export function ask(port, { method, path, token, body }) {
  return new Promise((resolve, reject) => {
    const request = open(
      { host: '127.0.0.1', port, method, path, headers: headersOf(token, body), agent: false },
      (response) => {
        /** @type {Buffer[]} */
        const pieces = [];
        response.on('data', (piece) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          resolve({ status: response.statusCode ?? 0, text, body: parse(text) });
        });
      },
    );
    request.setTimeout(10_000, () => request.destroy(new Error('no answer in 10 s')));
    request.on('error', reject);
    request.end(body);
  });
}

/**
 * The head of a request and its body, as they go over the wire.
 * @param {Asked} asked
 */
export function wire({ method, path, token, body }) {
  const lines = Object.entries({ Host: '127.0.0.1', ...headersOf(token, body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`;
}

/**
 * @param {string} token
 * @param {string | undefined} body
 */
function headersOf(token, body) {
  return {
    Authorization: `Bearer ${token}`,
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  };
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
