import type { ValidateFunction } from 'ajv';
import { fastFormats, fullFormats } from 'ajv-formats/dist/formats.js';
import { isTimestamp } from '../values/time.js';

/**
 * Validators by name: of requests and of checked values those that report every mistake, or the first
 * alone; of responses, which report the first.
 */
type Kind = 'requests' | 'hastyRequests' | 'responses' | 'checks' | 'hastyChecks';

/** Finds what the build has compiled under a name. */
export type Validators = Readonly<Record<Kind, (name: string) => ValidateFunction>>;

/** The code that the build compiles: it is given what it requires. */
export type CreateValidators = (
  require: (module: string) => unknown,
) => Readonly<Record<Kind, () => Readonly<Record<string, ValidateFunction>>>>;

/** What compiled code requires; a check of fixtures has its own idea of a timestamp. */
const MODULES: Readonly<Record<string, unknown>> = {
  'ajv-formats/dist/formats': {
    fastFormats,
    fullFormats: { ...fullFormats, 'date-time': isTimestamp },
  },
  'ajv/dist/runtime/ucs2length': { default: (text: string) => [...text].length },
};

/** The compiled validators. Each kind is created when one of it is first needed. */
export function validatorsOf(create: CreateValidators): Validators {
  const kinds = Object.entries(create(requireCompiled));
  const found = kinds.map(([kind, createAll]) => {
    let all: ReturnType<typeof createAll> | undefined;
    return [
      kind,
      (name: string) => {
        all ??= createAll();
        const validate = all[name];
        if (validate) return validate;
        throw new Error(`The build has compiled no validator '${name}' of ${kind}.`);
      },
    ];
  });
  return Object.fromEntries(found);
}

/** What compiled code requires. */
export function requireCompiled(module: string): unknown {
  return MODULES[module];
}

/** Finds the compiled checks of records; the schemas that they are asked for were compiled by the build. */
export function compiledChecks({ checks, hastyChecks }: Validators) {
  return (name: string, _schema: object, allErrors: boolean): ValidateFunction =>
    allErrors ? checks(name) : hastyChecks(name);
}
