import { readFileSync, writeFileSync } from 'node:fs';
import { LEDGER, type LedgerRow } from '../src/billing/decisions.js';

const FIXED = `## Fixed

These gaps are filled in one way only, because nothing a client can see would change, or because
the specification shows no more:

- Aliases are strings (section 2.6), and so are the values of an event's \`data\` (section 2.5).
- Names and refs match code point by code point, untrimmed (sections 4.2 and 4.5).
- Tokens neither expire nor carry scopes (section 5).
- There are no quotas and no time-outs (section 8), no versioning (section 9), no notifications
  (section 6), and no operations beyond the five (section 4.6).
- An \`id\` wins over an \`externalId\`; of several customers with one \`externalId\`, the oldest
  answers (section 4.3).

## Chosen, not known

What generated records look like is chosen so that strict clients accept it; the specification does
not show it:

- Every id has 24 hexadecimal digits.
- Timestamps are RFC 3339 in UTC, with milliseconds and \`Z\`.
- Phone numbers are a plus sign and digits.
- \`source\` is \`Api\`, \`Stripe\`, \`Salesforce\` or \`HubSpot\`.
- Nothing is \`null\`: a field that has no value is absent.
`;

/** Section number -> the anchor of its heading in the specification. */
const anchors = new Map(
  [...readFileSync('docs/specification.md', 'utf8').matchAll(/^##+ (.*)$/gm)].map(
    ([, heading = '']) => {
      const [number = ''] = heading.split(' ');
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-');
      return [number.replace(/\.$/, ''), anchor];
    },
  ),
);

function describeRow([id, row]: [string, LedgerRow]): string {
  const section = `[section ${row.section}](specification.md#${anchors.get(row.section)})`;
  const scope = row.isServerWide ? ' It holds for the whole server.' : '';
  const values = Object.entries(row.values).map(([value, words]) => {
    const mark = value === String(row.default) ? ' (default)' : '';
    return `| \`${value}\`${mark} | ${words} |`;
  });
  return [
    `### ${id}`,
    '',
    `${row.question} (${section})${scope}`,
    '',
    '| value | meaning |',
    '|---|---|',
    ...values,
    '',
  ].join('\n');
}

const page = `<!-- Generated from src/billing/decisions.ts by \`npm run generate\`. -->

# Decisions

Where the [specification](specification.md) is silent, the mock decides, and says so. Each decision
has an id, a default that never changes in a minor release, and a switch:

\`\`\`js
createMockServer({ decisions: { 'repeat-delete': 'gone' } });
\`\`\`

The command takes \`--decide repeat-delete=gone\` and \`--decisions FILE\`, a fixture has
\`decisions\`; the control plane takes
\`PATCH /__control/decisions\` with \`{ "repeat-delete": "gone" }\` for one account, those of the whole
server aside. \`GET /__control/openapi.json\` is the document as the decisions have it.

## Ledger

${Object.entries<LedgerRow>(LEDGER).map(describeRow).join('\n')}
${FIXED}`;

writeFileSync('docs/decisions.md', page);
