import type { Response } from 'express';
import { createStep, exchangeOf } from './exchange.js';

/** Sends the answer: the only place from which a success leaves, unless a fault distorts it. */
export const sendAnswer = createStep(['answer'], ({ answer }, _request, response) => {
  const text = JSON.stringify(answer.body);
  const length = Buffer.byteLength(text);
  // ASCII needs no encoding, which costs a tenth of writing a page as JSON.
  const encoding = length === text.length ? 'latin1' : 'utf8';
  const isSmall = length < JOINED_BYTES;
  const body = isSmall ? text : Buffer.from(text, encoding);
  beginAnswer(response, answer.status, length).end(body, encoding);
});

/** Up to here a body is written in one piece with its header; to copy a longer one costs more. */
const JOINED_BYTES = 16_384;

/** Notes the status of an answer and sets its header fields, before its body is sent. */
export function beginAnswer(response: Response, status: number, length: number): Response {
  const { noted } = exchangeOf(response);
  if (noted) noted.status = status;
  // Not res.json, which reads settings that the app does not have, and each field again.
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', String(length));
  return response;
}
