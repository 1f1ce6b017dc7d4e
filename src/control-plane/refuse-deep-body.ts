import type { RequestHandler } from 'express';
import { InvalidInputError } from '../errors/invalid-input.js';
import { tooDeep } from '../errors/nesting.js';

/** Refuses a body nested so deep that code which recurses through it would overflow the stack. */
export const refuseDeepBody: RequestHandler = (request, _response, next) => {
  const deep = tooDeep(request.body);
  if (deep.length > 0) throw new InvalidInputError(deep);
  next();
};
