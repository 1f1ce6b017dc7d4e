import { ProblemError } from '../../core/errors/problem-error.js';
import type { OperationRoute } from '../../core/openapi/route-table.js';
import { eitherOf } from '../../core/values/plural.js';
import { cut } from '../../core/values/received-value.js';
import type { DocumentedExchange, Step } from './exchange.js';

/** A non-empty element of a list (RFC 9110, section 5.6.1), which may have commas within quotes. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\(?:.|$))*(?:"|$))+/g;

/** A preference's name and its bare or quoted value, without parameters (RFC 7240, section 2). */
const PREFERENCE = /^\s*([^\s=;"]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s;"]*))?/;

/**
 * Answers `Prefer: code=404` with that error if the operation documents it, and says so in
 * `Preference-Applied`. The code of its success lets the operation run. An undocumented code is
 * refused, because the client wants an error instead of a call. Other preferences are ignored
 * (RFC 7240, section 2).
 */
export const preferError: Step<DocumentedExchange> = ({ called, fields: { prefer } }) => {
  if (prefer === undefined) return;
  const { route } = called;
  const code = preferredCode(prefer);
  if (code === undefined || code === String(route.successStatus)) return;
  if (!Object.hasOwn(route.operation.responses ?? {}, code)) throw unknownCode(code, route);
  throw new ProblemError(
    'preferred-error',
    `The request has 'Prefer: code=${code}', and the operation did not run. Remove the header to call it.`,
    {
      status: Number(code),
      headers: {
        ...(code === '429' && { 'Retry-After': '1' }),
        'Preference-Applied': `code=${code}`,
      },
    },
  );
};

/** Of several preferences `code`, the first counts (RFC 7240, section 2). */
function preferredCode(header: string): string | undefined {
  for (const element of header.match(ELEMENT) ?? []) {
    const [, name = '', value = ''] = PREFERENCE.exec(element) ?? [];
    if (name.toLowerCase() === 'code') return value.replaceAll(/^"|"$/g, '');
  }
  return undefined;
}

function unknownCode(code: string, { operationId, operation }: OperationRoute): ProblemError {
  const errors = Object.keys(operation.responses ?? {}).filter((status) => Number(status) >= 400);
  const expected = eitherOf(errors);
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
