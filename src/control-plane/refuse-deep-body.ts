import type { RequestHandler } from 'express';
import { runWithoutBlocking } from '../accounts/run-without-blocking.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { checkingDepth } from '../errors/nesting.js';

/** Refuses a body nested so deep that code which recurses through it would overflow the stack. */
export const refuseDeepBody: RequestHandler = async (request, _response, next) => {
  const deep = await runWithoutBlocking(checkingDepth(request.body));
  if (deep.length > 0) throw new InvalidInputError(deep);
  next();
};
