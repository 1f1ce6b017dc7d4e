import type { Response } from 'express';
import { createStep, exchangeOf } from './exchange.js';
import { isLong, jsonBytes } from './json-bytes.js';

/** Sends the answer: the only place from which a success leaves, unless a fault distorts it. */
export const sendAnswer = createStep(['answer'], ({ answer }, _request, response) => {
  if (isLong(answer.body)) {
    const bytes = jsonBytes(answer.body);
    beginAnswer(response, answer.status, bytes.length).end(bytes);
    return;
  }
  const text = JSON.stringify(answer.body);
  const length = Buffer.byteLength(text);
  // A text is written in one piece with the header; ASCII needs no encoding.
  const encoding = length === text.length ? 'latin1' : 'utf8';
  beginAnswer(response, answer.status, length).end(text, encoding);
});

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
