import { stripVTControlCharacters } from 'node:util';
import { REDACTED, SECRET_NAME } from '../../core/values/secret-name.js';
import { hiderOf } from '../../mock/accounts/journal/hide-credentials.js';

/** How to show a command and its output without credentials. */
export interface RunRedaction {
  readonly command: readonly string[];
  /** Redacts the values of secrets, by comparison. Output that it changes loses its colours. */
  readonly redact: (output: string) => string;
}

/** Takes secrets from the command's arguments and the environment's variables, by their names. */
export function redactionOfRun(
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
): RunRedaction {
  const { PWD: _folder, OLDPWD: _before, ...variables } = environment;
  const named = [...command.flatMap(argumentsOf), ...Object.entries(variables)];
  // Of a private key, each line is a secret.
  const secrets = named.flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) ? [value, ...value.split(/\r?\n/)] : [],
  );
  const hide = hiderOf({ secrets });
  const isValue = (nth: number) =>
    /^-[^=]*$/.test(command[nth - 1] ?? '') && SECRET_NAME.test(command[nth - 1] ?? '');
  return {
    command: command.map((argument, nth) => (isValue(nth) ? REDACTED : hide(argument))),
    redact: (output) => {
      // A colour code may split a word.
      const plain = stripVTControlCharacters(output);
      const shown = hide(plain);
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
  const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(argument) ?? [];
  if (name !== undefined) return [[name, value]];
  return argument.startsWith('-') ? [[argument, all[nth + 1]]] : [];
}
