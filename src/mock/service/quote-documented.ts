import { ProblemError } from '../../core/errors/problem-error.js';
import { documentedBy, documentedPart, shownName } from '../../core/openapi/documented-part.js';
import type { SchemaAt } from '../../core/openapi/references.js';
import { excerptOf } from '../../core/values/excerpt.js';
import type { Mistake } from '../../core/values/mistake.js';

/** No message shows more of a value. */
const SHOWN = { mostElements: 200, longestText: 201 };

/**
 * The problem with `[not shown]` in place of values that nothing documents; undefined if it quotes
 * none.
 */
export function withDocumentedQuotes(
  error: ProblemError,
  schemaAt: SchemaAt = () => undefined,
): ProblemError | undefined {
  const { mistakes = [], requote, ...ground } = error.ground;
  if (!requote) return undefined;
  const quoted = mistakes.map((mistake) => withDocumentedQuote(mistake, schemaAt));
  const isWhole = quoted.every(({ received }, nth) => received === mistakes[nth]?.received);
  if (mistakes.length > 0 && isWhole) return undefined;
  const given = mistakes.length > 0 && { mistakes: quoted };
  return new ProblemError(error.problem, requote(quoted), { ...ground, ...given });
}

function withDocumentedQuote(mistake: Mistake, schemaAt: SchemaAt): Mistake {
  const { in: place = 'body', path, received } = mistake;
  // Paths and the standard header fields are documented.
  if (received === undefined || place === 'path' || place === 'header') return mistake;
  const excerpt = typeof received === 'object' ? excerptOf(received, SHOWN) : received;
  const shown = documentedPart(excerpt, documentedBy(schemaAt, place), path);
  const isSame = shown === received || JSON.stringify(shown) === JSON.stringify(excerpt);
  return isSame
    ? mistake
    : { ...mistake, path: path.map(shownName), received: shown, written: undefined };
}
