import { Command, InvalidArgumentError, Option } from 'commander';

/** A flag with a value. */
export interface Flag<Value> {
  readonly words: string;
  readonly expected: string;
  readonly initial: Value;
  /** Parses the value; undefined if it is invalid. */
  readonly read: (text: string) => Value | undefined;
}

type Flags = Readonly<Record<string, Flag<unknown>>>;
type Values<Table extends Flags> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer Value> ? Value : never;
};

/** A flag whose value is a number above a bound. */
export function numberFlag(words: string, initial: number, above = 0): Flag<number> {
  const read = (text: string) =>
    Number(text) > above && Number(text) < 2 ** 31 ? Number(text) : undefined;
  return { words, initial, expected: `a number above ${above}`, read };
}

/** A flag whose value is a whole number from `least` on. */
export function countFlag(words: string, initial: number, least = 1): Flag<number> {
  const read = (text: string) =>
    /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) < 2 ** 31
      ? Number(text)
      : undefined;
  return { words, initial, expected: `a whole number from ${least} to 2147483647`, read };
}

/** A seed that is drawn for each run, so that runs differ, and printed, so that they repeat. */
export function seedFlag(): Flag<number> {
  const words = 'what is sent, and in which order; drawn if left out';
  return countFlag(words, Math.floor(Math.random() * 2 ** 31), 0);
}

/**
 * Reads the flags of a command; for help or a mistake, prints and ends the process. From then on,
 * signals end the process normally, so that what it has started ends too.
 */
export function readFlags<Table extends Flags>(
  { name, summary }: { readonly name: string; readonly summary: string },
  table: Table,
): Values<Table> {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const command = new Command(`npm run ${name} --`).description(summary).showHelpAfterError();
  for (const [flag, { words, expected, initial, read }] of Object.entries(table)) {
    const parse = (text: string) => {
      const value = read(text);
      if (value === undefined) throw new InvalidArgumentError(`Expected ${expected}.`);
      return value;
    };
    command.addOption(new Option(`--${flag} <value>`, words).default(initial).argParser(parse));
  }
  return command.parse().opts();
}
