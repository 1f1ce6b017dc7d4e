import { createStep } from './exchange.js';

/** Sends the answer: the only place from which a success leaves, unless a fault distorts it. */
export const sendAnswer = createStep(['answer'], ({ answer, noted }, _request, response) => {
  if (noted) noted.status = answer.status;
  response.status(answer.status).json(answer.body);
});
