import { createStep } from './exchange.js';

/** Validates the answer against the document: one that does not match it is sent as a 500. */
export const validateAnswer = createStep(
  ['answer', 'validation'],
  ({ answer, validation }, _request, response, next) => {
    response.status(answer.status);
    validation.checkAnswer(answer.body);
    next();
  },
);
