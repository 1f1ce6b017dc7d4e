import { ProblemError } from '../errors/problem-error.js';
import type { OperationRoute } from '../openapi/route-table.js';
import { cut } from '../values/received-value.js';
import type { Step } from './exchange.js';

/** The elements of a list, without the empty ones (RFC 9110, section 5.6.1); quotes hide commas. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\(?:.|$))*(?:"|$))+/g;

/** The name of a preference, and its value bare or quoted; parameters follow (RFC 7240, section 2). */
const PREFERENCE = /^\s*([^\s=;"]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s;"]*))?/;

/** Header fields that go with certain errors. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Bearer realm="usage-billing-mock"' },
  429: { 'Retry-After': '1' },
};

/**
 * Answers `Prefer: code=404` with that error, if the document in force has it for the operation, and
 * says so in `Preference-Applied`. A code that it does not have is refused, because a client that asks for an
 * error does not want the operation to run; that of its success lets it run. Any other preference is
 * ignored, as RFC 7240 says.
 */
export const preferError: Step = ({ route, fields: { prefer } }) => {
  if (!route || prefer === undefined) return;
  const code = preferredCode(prefer);
  if (code === undefined || code === String(route.successStatus)) return;
  if (!Object.hasOwn(route.operation.responses ?? {}, code)) throw unknownCode(code, route);
  throw new ProblemError(
    'preferred-error',
    `The request has 'Prefer: code=${code}', and the operation did not run. Remove the header to call it.`,
    {
      status: Number(code),
      headers: { ...FIELDS[code], 'Preference-Applied': `code=${code}` },
    },
  );
};

/** The value of the first preference `code`, if there is one; any further one is ignored. */
function preferredCode(header: string): string | undefined {
  for (const element of header.match(ELEMENT) ?? []) {
    const [, name = '', value = ''] = PREFERENCE.exec(element) ?? [];
    if (name.toLowerCase() === 'code') return value.replaceAll(/^"|"$/g, '');
  }
  return undefined;
}

function unknownCode(code: string, { operationId, operation }: OperationRoute): ProblemError {
  const errors = Object.keys(operation.responses ?? {}).filter((status) => Number(status) >= 400);
  const expected = `${errors.slice(0, -1).join(', ')} or ${errors.at(-1)}`;
  const fix = 'Correct the code, or remove the header.';
  return new ProblemError(
    'invalid-request',
    `The request has 'Prefer: code=${cut(code)}', which ${operationId} does not document; expected ${expected}. The operation did not run. ${fix}`,
    {
      mistakes: [
        {
          in: 'header',
          path: ['prefer'],
          expected: `code=${expected}`,
          received: `code=${cut(code)}`,
          fix,
        },
      ],
    },
  );
}
