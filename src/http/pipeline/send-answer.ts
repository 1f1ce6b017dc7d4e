import type { Response } from 'express';
import { createStep, exchangeOf, type ReadyResponse } from './exchange.js';

/** Writes what the operation has answered as JSON. */
export const writeAnswer = createStep(['answer'], (exchange, _request, _response, next) => {
  const { status, body } = exchange.answer;
  exchange.ready = { status, headers: {}, body: JSON.stringify(body) };
  next();
});

/** Sends what is ready: the only place from which a success leaves, unless a fault distorts it. */
export const sendAnswer = createStep(['ready'], ({ ready }, _request, response) =>
  sendWhole(response, ready),
);

/** Sends a response in one piece. */
export function sendWhole(response: Response, ready: ReadyResponse): void {
  const { body: text } = ready;
  const length = Buffer.byteLength(text ?? '');
  beginResponse(response, ready, length);
  if (text === undefined) {
    response.end();
    return;
  }
  // ASCII needs no encoding, which costs a tenth of writing a page as JSON.
  const encoding = length === text.length ? 'latin1' : 'utf8';
  const isSmall = length < JOINED_BYTES;
  response.end(isSmall ? text : Buffer.from(text, encoding), encoding);
}

/** Up to here a body is written in one piece with its header; to copy a longer one costs more. */
const JOINED_BYTES = 16_384;

/** Notes the status of a response and sets its header fields, before its body is sent. */
export function beginResponse(response: Response, ready: ReadyResponse, length: number): void {
  const { noted } = exchangeOf(response);
  if (noted) noted.status = ready.status;
  // Not res.json, which reads settings that the app does not have, and each field again.
  response.statusCode = ready.status;
  if (ready.body !== undefined) {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', String(length));
  }
  for (const [name, text] of Object.entries(ready.headers)) response.setHeader(name, text);
}
