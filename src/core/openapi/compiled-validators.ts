import type { ValidateFunction } from 'ajv';
import { fastFormats, fullFormats } from 'ajv-formats/dist/formats.js';
import { isTimestamp } from '../values/time.js';

/**
 * The kinds of validators. Those of requests and checks report every mistake, or only the first if
 * they are `hasty`; those of responses report only the first.
 */
type Kind = 'requests' | 'hastyRequests' | 'responses' | 'checks' | 'hastyChecks';

/** Finds a validator of each kind by its name; throws if the build has not compiled it. */
export type Validators = Readonly<Record<Kind, (name: string) => ValidateFunction>>;

/** The code that the build compiles; `require` gives it its modules. */
export type CreateValidators = (
  require: (module: string) => unknown,
) => Readonly<Record<Kind, () => Readonly<Record<string, ValidateFunction>>>>;

/**
 * The modules that compiled code requires. Only the checks of records use `fullFormats`, with the
 * mock's own check of timestamps.
 */
const MODULES: Readonly<Record<string, unknown>> = {
  'ajv-formats/dist/formats': {
    fastFormats,
    fullFormats: { ...fullFormats, 'date-time': isTimestamp },
  },
  'ajv/dist/runtime/ucs2length': { default: (text: string) => [...text].length },
};

/** Creates all validators of a kind when the first of them is needed. */
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

export function requireCompiled(module: string): unknown {
  return MODULES[module];
}

/** Finds the checks of records by name, since the build has compiled their schemas. */
export function compiledChecks({ checks, hastyChecks }: Validators) {
  return (name: string, _schema: object, allErrors: boolean): ValidateFunction =>
    allErrors ? checks(name) : hastyChecks(name);
}
