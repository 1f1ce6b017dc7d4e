// Lists the parameters and members of the body of each operation, so that the kits need not read the
// document.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { followReference } from '../src/openapi/references.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: object;
}

const { paths, components } = parse(readFileSync('openapi.yaml', 'utf8')) as Document;
const resolve = <Part>(part: Part): Part => followReference(part, { components }) ?? part;

const rows = Object.values(paths)
  .flatMap((item) => Object.values(item))
  .map(({ operationId, parameters = [], requestBody }) => {
    const bodies = Object.values(requestBody?.content ?? {});
    const names = [
      ...parameters.map((one) => resolve(one).name),
      ...bodies.flatMap(({ schema }) => Object.keys(resolve(schema).properties ?? {})),
    ];
    return `  ${operationId}: [${names.map((name) => `'${name}'`).join(', ')}],\n`;
  });

writeFileSync(
  'src/generated/parameters.ts',
  `// Generated from openapi.yaml by npm run generate; not to be edited.

/** The parameters, and members of the body, of each operation. */
export const PARAMETERS = {
${rows.join('')}} as const;
`,
);
