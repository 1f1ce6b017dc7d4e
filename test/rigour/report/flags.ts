import { parseArgs } from 'node:util';

/** A flag with a value. */
export interface Flag<Value> {
  readonly words: string;
  readonly expected: string;
  readonly initial: Value;
  /** The value that a text means; undefined if it means none. */
  readonly read: (text: string) => Value | undefined;
}

type Flags = Readonly<Record<string, Flag<unknown>>>;
type Values<Table extends Flags> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer Value> ? Value : never;
} & { readonly record: boolean };

/** A flag whose value is a number above a bound. */
export function numberFlag(words: string, initial: number, above = 0): Flag<number> {
  return {
    words,
    initial,
    expected: `a number above ${above}`,
    read: (text) => (Number(text) > above && Number(text) < 2 ** 31 ? Number(text) : undefined),
  };
}

/** A flag whose value is a whole number above 0. */
export function countFlag(words: string, initial: number): Flag<number> {
  return {
    words,
    initial,
    expected: 'a whole number from 1 to 2147483647',
    read: (text) =>
      /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined,
  };
}

/** A flag that is drawn anew for each run, so that runs differ; it is printed, so that they repeat. */
export function seedFlag(): Flag<number> {
  return {
    words: 'what is sent, and in which order; drawn if left out',
    initial: Math.floor(Math.random() * 2 ** 31),
    expected: 'a whole number from 0 to 2147483647',
    read: (text) => (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined),
  };
}

/**
 * Reads the flags of a command; prints its help, or what is wrong, and ends the process. From now on
 * a signal ends it as any other end does, so that what it has started ends too.
 */
export function readFlags<Table extends Flags>(
  { name, summary }: { readonly name: string; readonly summary: string },
  table: Table,
): Values<Table> {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const help = helpOf(name, summary, table);
  const options = Object.keys(table).map((flag) => [flag, { type: 'string' }] as const);
  try {
    const { values } = parseArgs({
      options: {
        ...Object.fromEntries(options),
        record: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) return end(help, 0);
    const read = Object.entries(table).map(([flag, row]) => [flag, readValue(flag, row, values)]);
    return { ...Object.fromEntries(read), record: values.record ?? false };
  } catch (error) {
    return end(`${(error as Error).message}\n\n${help}`, 2);
  }
}

function readValue(flag: string, row: Flag<unknown>, values: Record<string, unknown>): unknown {
  const text = values[flag];
  if (text === undefined) return row.initial;
  const value = row.read(String(text));
  if (value !== undefined) return value;
  throw new Error(`--${flag} was '${text}'; expected ${row.expected}.`);
}

function helpOf(name: string, summary: string, table: Flags): string {
  const rows = Object.entries(table).map(([flag, { words }]) => [`--${flag}`, words]);
  rows.push(['--record', 'keep the figures, and write docs/rigour.md from them']);
  const lines = rows.map(([flag = '', words]) => `  ${flag.padEnd(12)}${words}`);
  return `npm run ${name} -- [flags]\n\n${summary}\n\n${lines.join('\n')}\n`;
}

function end(text: string, code: number): never {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}
