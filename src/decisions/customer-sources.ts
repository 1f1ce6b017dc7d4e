/** The values of `source`: chosen, as the specification shows no list of them (section 2.6). */
export const CUSTOMER_SOURCES = ['Api', 'Stripe', 'Salesforce', 'HubSpot'] as const;

const quoted = CUSTOMER_SOURCES.map((source) => `\`${source}\``);

/** A sentence of Markdown that lists them. */
export const SOURCES_SENTENCE = `\`source\` is ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}.`;
