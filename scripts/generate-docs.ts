import { readFileSync, writeFileSync } from 'node:fs';
import { DEFAULT_STATE } from '../src/decisions/decision-changes.js';
import { type FidelityRow, fidelityOf } from '../src/decisions/fidelity.js';
import { LEDGER, type LedgerRow } from '../src/decisions/ledger.js';

const FIDELITY = fidelityOf(DEFAULT_STATE);

function rowsOf(basis: FidelityRow['basis']): readonly FidelityRow[] {
  return FIDELITY.filter((row) => row.basis === basis);
}

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

function linkTo(section = ''): string {
  return `specification.md#${anchors.get(section)}`;
}

/** A behaviour with the section that it comes from. */
function citing({ behaviour, section = '' }: FidelityRow): string {
  return `- ${behaviour} ([${section}](${linkTo(section)}))`;
}

function decided({ section = '', decision, behaviour }: FidelityRow): string {
  return `| [${section}](${linkTo(section)}) | [${decision}](#${decision}) | ${behaviour} |`;
}

function describeRow([id, row]: [string, LedgerRow]): string {
  const section = `[section ${row.section}](${linkTo(row.section)})`;
  const scope = row.isServerWide ? ' It applies to the whole server.' : '';
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

const page = `<!-- Generated from src/decisions/ by \`npm run generate\`. -->

# Decisions

Where the [specification](specification.md) is silent, the mock decides, and says so. Each decision
has an id, a default that never changes in a minor release, and a switch.
[Settle](settle.md) finds out which value the service follows.

\`\`\`js
createMockServer({ decisions: { 'repeat-delete': 'gone' } });
\`\`\`

The command takes \`--decide repeat-delete=gone\` and \`--decisions FILE\`, a fixture has
\`decisions\`; the control plane has
\`PATCH /__control/decisions\` with \`{ "repeat-delete": "gone" }\` for one account, except for those of
the whole server. \`GET /__control/openapi.json\` is the document under the decisions.

## Fidelity

How closely the answers of the mock match those of the service. \`GET /__control/fidelity\` returns
the same as JSON, under the decisions in force. There a decision that was given with
[where its value was seen](command-line.md#where-a-value-was-seen) is \`seen\` instead of decided.

**Stated by the specification**, with the section:

${rowsOf('stated').map(citing).join('\n')}

**Decided here**, because the section leaves it open; each is a row of the [ledger](#ledger):

| section | decision | by default |
|---|---|---|
${rowsOf('decided').map(decided).join('\n')}

Other gaps are filled in [one way only](#fixed); what generated data looks like is
[chosen, not known](#chosen-not-known).

## Ledger

${Object.entries<LedgerRow>(LEDGER).map(describeRow).join('\n')}
## Fixed

These gaps are filled in one way only, because nothing a client can see would change, or because
the specification shows no more:

${rowsOf('fixed').map(citing).join('\n')}

## Chosen, not known

What generated records look like is chosen so that strict clients accept it; the specification does
not show it:

${rowsOf('chosen')
  .map(({ behaviour }) => `- ${behaviour}`)
  .join('\n')}
`;

writeFileSync('docs/decisions.md', page);
