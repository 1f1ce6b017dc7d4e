import type { RequestHandler } from 'express';
import { ProblemError } from '../billing/problems.js';
import { exchangeOf } from './exchange.js';

/** The preference among others (RFC 7240, section 2), its value bare or quoted. */
const CODE = /(?:^|,)\s*code\s*=\s*(?:"(\d{3})"|(\d{3}))\s*(?:[;,]|$)/i;

/**
 * Answers `Prefer: code=404` with that error, if the document has it for the operation, and says
 * so in `Preference-Applied`. Any other preference is passed over, as RFC 7240 has it.
 */
export const preferError: RequestHandler = (request, response, next) => {
  const [, quoted, bare] = CODE.exec(String(request.headers.prefer ?? '')) ?? [];
  const code = quoted ?? bare;
  const documented = exchangeOf(response).route?.operation.responses ?? {};
  if (code === undefined || Number(code) < 400 || !(code in documented)) return next();
  throw new ProblemError(
    'preferred-error',
    `The request has 'Prefer: code=${code}', and the operation did not run. Take the header out to call it.`,
    { status: Number(code), headers: { 'Preference-Applied': `code=${code}` } },
  );
};
