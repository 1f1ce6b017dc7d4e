import { stripVTControlCharacters } from 'node:util';
import { isSecretName, REDACTED, Redaction } from '#spec';

/** How to show a command and its output without secrets. */
export interface RunRedaction {
  readonly command: readonly string[];
  /**
   * Withholds the values of secrets, and lines with the name and value of a secret. Output that it
   * changes loses its colours.
   */
  readonly redact: (output: string) => string;
}

/** Finds secrets by the names of the command's arguments and of the environment's variables. */
export function redactionOfRun(
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
): RunRedaction {
  const { PWD: _folder, OLDPWD: _before, ...variables } = environment;
  const named = [...command.flatMap(argumentsOf), ...Object.entries(variables)];
  // Output is redacted line by line, and a private key has several lines.
  const tokens = named.flatMap(([name, value = '']) =>
    isSecretName(name) ? value.split(/\r?\n/) : [],
  );
  const redaction = new Redaction({ tokens });
  const isValue = (nth: number) =>
    /^-[^=]*$/.test(command[nth - 1] ?? '') && isSecretName(command[nth - 1] ?? '');
  return {
    command: command.map((argument, nth) => (isValue(nth) ? REDACTED : redaction.lines(argument))),
    redact: (output) => {
      // A colour code may split a word.
      const plain = stripVTControlCharacters(output);
      const shown = redaction.lines(plain);
      return shown === plain ? output : shown;
    },
  };
}

/** An argument's name and value, written as `--password=x` or as `--password x`. */
function argumentsOf(
  argument: string,
  nth: number,
  all: readonly string[],
): readonly (readonly [name: string, value: string | undefined])[] {
  const [name = '', ...value] = argument.split('=');
  if (value.length > 0) return [[name, value.join('=')]];
  return argument.startsWith('-') ? [[name, all[nth + 1]]] : [];
}
