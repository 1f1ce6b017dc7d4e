import type { RequestHandler } from 'express';
import { ProblemError } from '../billing/problems.js';
import { exchangeOf } from './exchange.js';

/** One preference: its name, and its value bare or quoted; parameters follow (RFC 7240, section 2). */
const PREFERENCE =
  /\s*([^\s=;,"]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*))?(?:[^,"]|"(?:[^"\\]|\\.)*")*,?/gy;

/** Header fields that go with certain errors. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Bearer realm="usage-billing-mock"' },
  429: { 'Retry-After': '1' },
};

/**
 * Answers `Prefer: code=404` with that error, if the document has it for the operation, and says
 * so in `Preference-Applied`. Any other preference is passed over, as RFC 7240 has it.
 */
export const preferError: RequestHandler = (request, response, next) => {
  const { prefer } = request.headers;
  if (prefer === undefined) return next();
  const code = preferredCode(String(prefer));
  const documented = exchangeOf(response).route?.operation.responses ?? {};
  if (!(Number(code) >= 400) || !(code in documented)) return next();
  throw new ProblemError(
    'preferred-error',
    `The request has 'Prefer: code=${code}', and the operation did not run. Take the header out to call it.`,
    {
      status: Number(code),
      headers: { ...FIELDS[code], 'Preference-Applied': `code=${code}` },
    },
  );
};

/** The value of the first preference `code`; of several the others count for nothing. */
function preferredCode(header: string): string {
  for (const [, name = '', value = ''] of header.matchAll(PREFERENCE)) {
    if (name.toLowerCase() === 'code') return value.replaceAll(/^"|"$/g, '');
  }
  return '';
}
