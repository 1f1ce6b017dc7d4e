import { once } from '../../server/once.js';
import { readPackageYaml } from '../../server/package-files.js';
import { type AnyAnswer, createDocumentMatch } from './match-document.js';

export { buildMockServer } from '../../server/mock-server.js';

/** Matches against the document of the package, whose schemas are compiled once. */
const matchShipped = once(() => createDocumentMatch(readPackageYaml('openapi.yaml') as object));

/** Lists, in sentences, how an answer does not match the document, by default that of the package. */
export function matchDocument(
  operationId: string,
  answer: AnyAnswer,
  document?: object,
): readonly string[] {
  const match = document ? createDocumentMatch(document) : matchShipped();
  return match(operationId, answer);
}
