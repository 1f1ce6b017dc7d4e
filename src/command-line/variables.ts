import { TOKEN_VARIABLE, URL_VARIABLE } from '../matrix/run-command.js';
import { unknownName } from '../options/complete-options.js';
import { COMMAND_OPTIONS, OPTIONS, VARIABLE_PREFIX, variableOf } from '../options/option-table.js';

/** What Kubernetes names the variables that tell of a Service. */
const SERVICE_LINK_NAMES =
  /_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const SERVICE_LINK_VALUE = /^(tcp|udp|sctp):\/\/\S+:\d+$/;

/** What the environment says of an option; nothing if its variable is empty or a service link. */
export function variableValue(name: string): string | undefined {
  const variable = variableOf(name);
  // An empty variable is one that somebody has left out, as in a compose file.
  return isServiceLink(variable) ? undefined : process.env[variable] || undefined;
}

/** The variables that Kubernetes has set for a Service that is named like the mock. */
export function serviceLinks(): readonly string[] {
  return Object.keys(process.env).filter(isServiceLink);
}

/** A variable with a typing error would be ignored in silence. */
export function refuseUnknownVariables(): void {
  const known = Object.keys({ ...OPTIONS, ...COMMAND_OPTIONS }).map(variableOf);
  // These are handed by the matrix to a command that may start a mock of its own.
  const ignored = [URL_VARIABLE, TOKEN_VARIABLE, ...serviceLinks()];
  const unknown = Object.keys(process.env).find(
    (variable) =>
      variable.startsWith(VARIABLE_PREFIX) && ![...known, ...ignored].includes(variable),
  );
  if (unknown) throw unknownName(`There is no variable ${unknown}`, unknown, known);
}

function isServiceLink(variable: string): boolean {
  if (!variable.startsWith(VARIABLE_PREFIX)) return false;
  const isNamedAsPort = /_PORT$/.test(variable);
  return (
    SERVICE_LINK_NAMES.test(variable) ||
    (isNamedAsPort && SERVICE_LINK_VALUE.test(process.env[variable] ?? ''))
  );
}
