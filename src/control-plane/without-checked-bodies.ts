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
  FaultRequest: [],
  DecisionChanges: [],
  StubRequest: ['for'],
  JournalFilter: ['of'],
};

/** Schemas of which the account checks the values of these members, and the validator the rest. */
const MEMBERS_CHECKED_BY_ACCOUNT: Readonly<Record<string, readonly string[]>> = {
  SnapshotRequest: ['id'],
  ClockSetting: ['frozenAt', 'advanceMs'],
  LatencySetting: ['latency'],
};

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
  const checked = MEMBERS_CHECKED_BY_ACCOUNT[name];
  const properties = members.map(([member, rule]) => [
    member,
    checked?.includes(member) ? {} : rule,
  ]);
  return checked && { ...schema, properties: Object.fromEntries(properties) };
}
