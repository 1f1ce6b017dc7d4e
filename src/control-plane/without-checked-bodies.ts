import type { OpenApiDocument } from '../openapi/route-table.js';

/**
 * The schemas of bodies that a part of the account checks itself, so that HTTP and the library refuse
 * a value in the same words; with the members that only HTTP has, which stay with the validator.
 */
const CHECKED_BY_ACCOUNT: Readonly<Record<string, readonly string[]>> = {
  Customer: [],
  Contract: [],
  Measurement: [],
  UsageEvent: [],
  State: [],
  MergePatch: [],
  SnapshotRequest: [],
  FaultRequest: [],
  DecisionChanges: [],
  StubRequest: ['for'],
  JournalFilter: ['of'],
};

/** The same, where the account checks the value of each member, and the validator which there are. */
const MEMBERS_CHECKED_BY_ACCOUNT: readonly string[] = [
  'RestoreRequest',
  'ClockSetting',
  'LatencySetting',
];

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
}

/** The document for the validator: bodies that the account checks may be anything. */
export function withoutCheckedBodies(document: OpenApiDocument): OpenApiDocument {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, ObjectSchema>>;
  return JSON.parse(JSON.stringify(document), (name, value) => {
    if (name !== 'requestBody') return value;
    const { schema } = value.content['application/json'];
    const schemaName: string = schema.$ref.split('/').at(-1);
    const looser = looserThan(schemas[schemaName] ?? {}, schemaName) ?? schema;
    return { ...value, content: { 'application/json': { schema: looser } } };
  });
}

function withoutDefault({ default: _default, ...rule }: { readonly default?: unknown }): object {
  return rule;
}

function looserThan(schema: ObjectSchema, name: string): object | undefined {
  const members = Object.entries(schema.properties ?? {});
  const left = CHECKED_BY_ACCOUNT[name];
  if (left) {
    // A default would be added to the body, which the account would then check with it.
    const own = members.filter(([member]) => left.includes(member));
    return {
      properties: Object.fromEntries(own.map(([member, rule]) => [member, withoutDefault(rule)])),
    };
  }
  if (!MEMBERS_CHECKED_BY_ACCOUNT.includes(name)) return undefined;
  return { ...schema, properties: Object.fromEntries(members.map(([member]) => [member, {}])) };
}
