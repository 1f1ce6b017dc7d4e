// Lists the kinds of faults, in control.openapi.yaml and for the code, from the schemas of their
// requests: those whose members `kind` and `phase` have values of their own.
import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { writeGenerated, writeParts } from './write-generated.mjs';

interface FaultSchema {
  readonly 'x-internal'?: boolean;
  readonly description: string;
  readonly properties?: Readonly<Record<'kind' | 'phase', { readonly enum: readonly string[] }>>;
}

const DOCUMENT = 'control.openapi.yaml';
const { schemas } = parse(readFileSync(DOCUMENT, 'utf8')).components;

const faults = Object.entries<FaultSchema>(schemas).flatMap(([name, schema]) => {
  const { 'x-internal': isInternal, description, properties } = schema;
  if (!isInternal || !name.endsWith('Fault') || !properties) return [];
  const { kind, phase } = properties;
  const place = `#/components/schemas/${name}`;
  return [{ place, words: description.trim(), kinds: kind.enum, phase: phase.enum[0] }];
});
const kinds = faults.flatMap((fault) => fault.kinds.map((kind) => ({ ...fault, kind })));

const parts = [
  {
    oneOf: faults.map(({ place }) => ({ $ref: place })),
    discriminator: {
      propertyName: 'kind',
      mapping: Object.fromEntries(kinds.map(({ kind, place }) => [kind, place])),
    },
  },
  {
    type: 'string',
    enum: kinds.map(({ kind }) => kind),
    description: faults.map(({ words }) => words).join('\n'),
  },
];
writeParts(DOCUMENT, 'the schemas of faults', (_part, nth) =>
  stringify(parts[nth], { lineWidth: 0 }),
);

writeGenerated(
  'src/generated/fault-kinds.ts',
  `// Generated from control.openapi.yaml by npm run generate; not to be edited.

/** Every kind of fault, with the phase in which it fires unless its request names one. */
export const DEFAULT_PHASES = {
${kinds.map(({ kind, phase }) => `  ${/\W/.test(kind) ? `'${kind}'` : kind}: '${phase}',\n`).join('')}} as const;
`,
);
