import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Fixture } from '../src/core/datasets/fixture/fixture.js';
import { type FidelityRow, fidelityOf } from '../src/core/decisions/fidelity.js';
import { LEDGER, type LedgerRow } from '../src/core/decisions/ledger.js';
import { DEFAULT_STATE } from '../src/core/decisions/switch-decisions.js';
import { ROUTES, SUBJECTS } from '../src/generated/operations.js';
import {
  COMMAND_OPTIONS,
  flagOf,
  OPTIONS,
  type OptionRow,
  variableOf,
} from '../src/host/options/option-table.js';
import { type FlagName, flagsByHeading } from '../src/host/terminal/flags-and-variables.js';
import type { Verb } from '../src/mock/client/verb.js';
import { VERBS } from '../src/mock/client/verbs.js';
import { writeGenerated, writeParts } from './write-generated.mjs';

const SPECIFICATION = 'docs/specification.md';
const FIDELITY = fidelityOf(DEFAULT_STATE);

function rowsOf(basis: FidelityRow['basis']): readonly FidelityRow[] {
  return FIDELITY.filter((row) => row.basis === basis);
}

/** The anchors of the specification's headings by section number. */
const anchors = new Map(
  [...readFileSync(SPECIFICATION, 'utf8').matchAll(/^##+ (.*)$/gm)].map(([, heading = '']) => {
    const [number = ''] = heading.split(' ');
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-');
    return [number.replace(/\.$/, ''), anchor];
  }),
);

function linkTo(section = ''): string {
  return `specification.md#${anchors.get(section)}`;
}

/** A behaviour with a link to the section that it comes from. */
function citing({ behaviour, section = '' }: FidelityRow): string {
  return `- ${behaviour} ([${section}](${linkTo(section)}))`;
}

function describeRow(id: string, row: LedgerRow): string {
  const scope = row.isServerWide ? ' This applies to the whole server.' : '';
  const values = Object.entries(row.values).map(([value, words], nth, all) => {
    const mark = value === String(row.default) ? ' (default)' : '';
    const form = nth === all.length - 1 && row.formIs ? `${row.formIs} such as ` : '';
    return `- ${form}\`${value}\`${mark}: ${words}`;
  });
  return [
    `#### ${id}`,
    '',
    `${row.question} ([${row.section}](${linkTo(row.section)}))${scope}`,
    '',
    ...values,
    '',
  ].join('\n');
}

/** The decisions, below a heading for the operations that they are about. */
function describeLedger(): string {
  const subjects = Object.entries<string>(SUBJECTS);
  return [...new Set(subjects.map(([, subject]) => subject))]
    .flatMap((subject) => [
      `### ${subject}\n`,
      ...subjects
        .filter(([, of]) => of === subject)
        .map(([id]) => describeRow(id, LEDGER[id as keyof typeof LEDGER])),
    ])
    .join('\n');
}

const page = `<!-- Generated from src/core/decisions/ by \`npm run generate\`. -->

# Decisions

Where the [specification](specification.md) is silent, the mock makes a decision. Its id and default never change in a
minor release, and you can switch it:

\`\`\`js
createMockServer({ decisions: { 'repeat-delete': 'gone' } });
\`\`\`

You can also use \`--decide repeat-delete=gone\`, a \`--decisions\` file, or \`decisions\` in a fixture. To switch a decision
for one account only, unless it applies to the whole server, send \`{ "repeat-delete": "gone" }\` to
\`PATCH /__control/decisions\`. \`GET /__control/openapi.json\` returns the OpenAPI document that matches the decisions in
force.

[\`settle\`](settle.md) finds the values that the service follows, and [\`matrix\`](matrix.md) the decisions that your tests
depend on.

## Ledger

${describeLedger()}
## Fidelity

\`GET /__control/fidelity\` lists every behaviour of the mock with where it comes from. A behaviour is

- \`stated\` if the [specification](specification.md) says so,
- \`decided\` if a decision above switches it,
- \`seen\` if, in addition, you said [where you saw its value](command-line.md#where-a-value-was-seen),
- \`fixed\` or \`chosen\` if it is listed below.

### Fixed

The specification leaves these open too, but you cannot switch them:

${rowsOf('fixed').map(citing).join('\n')}

### Chosen, not known

The specification does not show what records look like. The mock makes records that strict clients accept:

${rowsOf('chosen')
  .map(({ behaviour }) => `- ${behaviour}`)
  .join('\n')}
`;

writeGenerated('docs/decisions.md', page);

/** The section with a link to a decision that fills one of its gaps. */
function withLink(section: string, id: string): string {
  const link = `[${id}](decisions.md#${id})`;
  const [gaps] = section.match(/^Gaps?: (?:.|\n(?!\n))*/m) ?? [];
  if (gaps === undefined) return `${section.trimEnd()}\n\nGap: ${link}.\n\n`;
  return section.replace(gaps, gaps.replace(/^Gap:/, 'Gaps:').replace(/\.$/, `,\n${link}.`));
}

/** The specification by section, each from its heading on. */
const sections = readFileSync(SPECIFICATION, 'utf8').split(/^(?=##+ )/m);
for (const [id, row] of Object.entries<LedgerRow>(LEDGER)) {
  const at = sections.findIndex((text) => RegExp(`^##+ ${row.section}\\.? `).test(text));
  const section = sections[at] ?? '';
  if (!sections.some((text) => text.includes(`(decisions.md#${id})`)))
    sections[at] = withLink(section, id);
}
writeGenerated(SPECIFICATION, sections.join(''));

writeParts('README.md', 'openapi.yaml', () =>
  Object.values(ROUTES)
    .map((route) => `- \`${route}\`\n`)
    .join(''),
);

/** Replaces the rows of the table whose header begins with this cell. */
function writeTable(page: string, head: string, rows: readonly (readonly string[])[]): void {
  const lines = readFileSync(page, 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith(`| ${head} |`)) + 2;
  if (first < 2) throw new Error(`${page} has no table whose head begins with '${head}'.`);
  const end = lines.findIndex((line, index) => index >= first && !line.startsWith('|'));
  const written = rows.map((cells) => {
    const texts = cells.map((cell) => cell.replaceAll('|', '\\|'));
    return `| ${texts.join(' | ')} |`.replaceAll(/\| {2}(?=\|)/g, '| ');
  });
  writeGenerated(page, [...lines.slice(0, first), ...written, ...lines.slice(end)].join('\n'));
}

/** A flag as a row of a table: its name, its default, what it means. */
function describeFlag(name: FlagName): string {
  const row: OptionRow = { ...OPTIONS, ...COMMAND_OPTIONS }[name];
  const flag = flagOf(name, row);
  const value = row.commandDefault ?? row.default;
  // A switch is off and a list is empty by default.
  const isShown = typeof value === 'string' || typeof value === 'number';
  const words = flag.startsWith('--no-')
    ? `${row.words}; as a variable, \`${variableOf(name)}=false\``
    : row.words;
  return `| \`${flag}\` | ${isShown ? `\`${value}\` ` : ''}| ${words.replaceAll('|', '\\|')} |\n`;
}

writeParts('docs/command-line.md', 'src/host/options/option-table.ts', () =>
  [...flagsByHeading()]
    .map(([heading, names]) => {
      const rows = names.map(describeFlag).join('');
      return `\n### ${heading}\n\n| flag | default | meaning |\n| --- | --- | --- |\n${rows}`;
    })
    .join('')
    .concat('\n'),
);

// Not from a mock, which does not start while an operation of the document has no code.
const {
  customers = [],
  contracts = [],
  events = [],
}: Fixture = parse(readFileSync('fixtures/default.yaml', 'utf8'));
writeTable(
  'docs/fixtures.md',
  'customer',
  customers.map(({ id, name = '', aliases = [] }) => {
    const contract = contracts.find(({ customerId }) => customerId === id);
    const event = events.find(({ customerAlias = '' }) => aliases.includes(customerAlias));
    return [name, ...[id, contract?.id, event?.ref].map((value) => (value ? `\`${value}\`` : ''))];
  }),
);

const control = parse(readFileSync('control.openapi.yaml', 'utf8'));

const verbs = Object.entries<Readonly<Record<string, string | Verb>>>(VERBS).flatMap(
  ([part, rows]) =>
    Object.entries(rows).map(([name, row]) => {
      const verb = part === 'account' ? name : `${part}.${name}`;
      return typeof row === 'string'
        ? [row, `${verb}()`]
        : [row.route, row.isData ? verb : `${verb}()`];
    }),
);

interface ControlOperation {
  readonly summary: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, BodyExamples>> };
}

interface BodyExamples {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** The first example of a body, on one line; empty for an operation that takes none. */
function exampleBodyOf({ requestBody }: ControlOperation): string {
  if (!requestBody) return '';
  const [{ example, examples = {} } = {}] = Object.values(requestBody.content);
  const body = example ?? Object.values(examples)[0]?.value;
  return `\`${JSON.stringify(body, undefined, 1).replaceAll(/\n */g, ' ')}\``;
}

writeTable(
  'docs/control-plane.md',
  'HTTP, below `/__control`',
  Object.entries<Readonly<Record<string, ControlOperation>>>(control.paths).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, operation]) => {
        const route = `${method.toUpperCase()} ${path}`;
        const own = verbs.flatMap(([called, verb]) => (called === route ? [`\`${verb}\``] : []));
        const body = exampleBodyOf(operation);
        // The name of a call in the library says what it does, and so does its body.
        return [`\`${route}\``, body || (own.length > 0 ? '' : operation.summary), own.join(', ')];
      }),
  ),
);

const { schemas } = control.components;

/** The members that only some kinds of fault have, for one kind, and which of them are optional. */
function ownMembersOf(kind: { properties: object; required: readonly string[] }): string {
  const all: { properties: object }[] = schemas.FaultOfKind.oneOf.map(
    ({ $ref }: { $ref: string }) => schemas[$ref.split('/').at(-1) ?? ''],
  );
  const own = Object.keys(kind.properties).filter((name) =>
    all.some(({ properties }) => !(name in properties)),
  );
  if (own.length === 0) return 'none';
  const quoted = (isRequired: boolean) =>
    own.filter((name) => kind.required.includes(name) === isRequired).map((name) => `\`${name}\``);
  const [required, optional] = [quoted(true), quoted(false)];
  if (optional.length === 0) return required.join(', ');
  if (required.length === 0) return `${optional.join(', ')}, all optional`;
  return `${required.join(', ')}; ${optional.join(', ')} optional`;
}

const FAULTS = 'docs/faults.md';
const written = readFileSync(FAULTS, 'utf8')
  .split('\n')
  .map((line) => line.split(/ ?\| ?/).slice(1, -1));

writeTable(
  FAULTS,
  'kind',
  Object.entries<string>(schemas.FaultOfKind.discriminator.mapping).map(([kind, ref]) => {
    // The examples, and the column on what clients see, are written by hand.
    const [, , ...others] = written.find(([name]) => name === `\`${kind}\``) ?? [];
    return [`\`${kind}\``, ownMembersOf(schemas[ref.split('/').at(-1) ?? '']), ...others];
  }),
);

const SETTLE = 'docs/settle.md';
const NEVER_ASKED = /^\|.*\| never asked \|.*$/m;
const asked = readFileSync(SETTLE, 'utf8').replace(NEVER_ASKED, '');
const unasked = Object.keys(LEDGER).filter((id) => !asked.includes(`\`${id}\``));
writeGenerated(
  SETTLE,
  readFileSync(SETTLE, 'utf8').replace(
    NEVER_ASKED,
    `| ${unasked.map((id) => `\`${id}\``).join(', ')} | no value |  | never asked |  |`,
  ),
);
