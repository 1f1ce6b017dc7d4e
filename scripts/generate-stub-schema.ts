// Writes the schema of a stub, without the parts that are only for HTTP: accounts check stubs even
// if the control plane's document was not parsed.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { writeGenerated } from './write-generated.mjs';

const { schemas } = parse(readFileSync('control.openapi.yaml', 'utf8')).components;

const text = JSON.stringify(
  schemas.StubRequest,
  (name, value) => {
    // Only HTTP has to say whose stub it is.
    if (name === 'for' || name === 'example') return undefined;
    if (name === 'description') return value.trim().replaceAll('\n', ' ');
    if (value?.$ref) return schemas[value.$ref.split('/').at(-1)];
    return value;
  },
  2,
);

writeGenerated(
  'src/generated/stub-schema.ts',
  `// Generated from control.openapi.yaml by npm run generate; not to be edited.

/** The JSON Schema of a stub; \`wrongStub\` checks what it cannot say. */
export const STUB_SCHEMA = ${text} as const;
`,
);
