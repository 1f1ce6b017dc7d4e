import { OptionError } from '../../core/errors/option-error.js';

/** The variable with the token that a command sends, unless `--token-env` names another. */
export const SERVICE_TOKEN_VARIABLE = 'USAGE_BILLING_TOKEN';

export const NOT_AS_FLAG = 'because others on this machine can read flags';

/** The token of the service. Throws an `OptionError` if its variable is empty or not set. */
export function serviceToken(tokenEnv = SERVICE_TOKEN_VARIABLE): string {
  const token = process.env[tokenEnv];
  if (token) return token;
  throw new OptionError(
    `The token is missing; expected it in ${variableOfToken(tokenEnv)}. There is no flag for it, ${NOT_AS_FLAG}.`,
  );
}

/** Names the variable only if it looks like one: a user may have passed the token itself. */
export function variableOfToken(tokenEnv = SERVICE_TOKEN_VARIABLE): string {
  return /^[A-Z][A-Z0-9_]*$/.test(tokenEnv) ? `the variable ${tokenEnv}` : 'the given variable';
}
