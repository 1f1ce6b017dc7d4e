import { stripVTControlCharacters } from 'node:util';
import { isSecretName, REDACTED, Redaction } from '../accounts/journal/redact-secrets.js';

/** What is told of a command without its secrets and those of its environment. */
export interface RunRedaction {
  /** The command, as reports name it. */
  readonly command: readonly string[];
  /** Its output without their values, and without the lines that name a secret. */
  readonly redact: (output: string) => string;
}

/** Finds the secrets of a command by the names of its arguments and of the environment's variables. */
export function redactionOfRun(
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
): RunRedaction {
  const { PWD: _folder, OLDPWD: _before, ...variables } = environment;
  const named = [...command.flatMap(argumentsOf), ...Object.entries(variables)];
  // Output is read line by line, and a private key has several.
  const tokens = named.flatMap(([name, value = '']) =>
    isSecretName(name) ? value.split(/\r?\n/) : [],
  );
  const redaction = new Redaction({ tokens });
  const isValue = (nth: number) =>
    /^-[^=]*$/.test(command[nth - 1] ?? '') && isSecretName(command[nth - 1] ?? '');
  return {
    command: command.map((argument, nth) => (isValue(nth) ? REDACTED : redaction.lines(argument))),
    redact: (output) => {
      // A colour may stand within a word.
      const plain = stripVTControlCharacters(output);
      const shown = redaction.lines(plain);
      return shown === plain ? output : shown;
    },
  };
}

/** The name in an argument and its value, which may be in the same argument (`--password=x`) or the next. */
function argumentsOf(
  argument: string,
  nth: number,
  all: readonly string[],
): readonly (readonly [name: string, value: string | undefined])[] {
  const [name = '', ...value] = argument.split('=');
  if (value.length > 0) return [[name, value.join('=')]];
  return argument.startsWith('-') ? [[name, all[nth + 1]]] : [];
}
