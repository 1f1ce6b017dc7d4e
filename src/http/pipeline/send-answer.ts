import type { Response } from 'express';
import { createStep, exchangeOf } from './exchange.js';

/** Sends the answer: the only place from which a success leaves, unless a fault distorts it. */
export const sendAnswer = createStep(['answer'], ({ answer }, _request, response) => {
  const bytes = Buffer.from(JSON.stringify(answer.body));
  beginAnswer(response, answer.status, bytes.length).end(bytes);
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
