import { TOKEN_VARIABLE, URL_VARIABLE } from '../matrix/run-command.js';
import { COMMAND_OPTIONS } from '../options/command-options.js';
import { unknownName } from '../options/complete-options.js';
import { VARIABLE_PREFIX, variableOf } from '../options/option-names.js';
import { OPTIONS } from '../options/option-table.js';

/** The names of the variables that Kubernetes sets for a Service. */
const SERVICE_LINK_NAMES =
  /_SERVICE_(HOST|PORT)$|_SERVICE_PORT_\w|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const SERVICE_LINK_VALUE = /^(tcp|udp|sctp):\/\/\S+:\d+$/;

/** The value of an option in the environment; undefined if its variable is empty or a service link. */
export function variableValue(name: string): string | undefined {
  const variable = variableOf(name);
  // An empty variable counts as unset, as in a compose file.
  return isServiceLink(variable) ? undefined : process.env[variable] || undefined;
}

/** The variables that Kubernetes has set for a Service with the name of the mock. */
export function serviceLinks(): readonly string[] {
  return Object.keys(process.env).filter(isServiceLink);
}

/** Throws for an unknown variable: one with a typing error would be ignored silently. */
export function refuseUnknownVariables(): void {
  const known = Object.keys({ ...OPTIONS, ...COMMAND_OPTIONS }).map(variableOf);
  // The matrix sets these for its command, which may start another mock.
  const ignored = [URL_VARIABLE, TOKEN_VARIABLE, ...serviceLinks()];
  const unknown = Object.keys(process.env).find(
    (variable) =>
      variable.startsWith(VARIABLE_PREFIX) && ![...known, ...ignored].includes(variable),
  );
  if (unknown) throw unknownName(`Unknown variable ${unknown}`, unknown, known);
}

function isServiceLink(variable: string): boolean {
  if (!variable.startsWith(VARIABLE_PREFIX)) return false;
  const isNamedAsPort = /_PORT$/.test(variable);
  return (
    SERVICE_LINK_NAMES.test(variable) ||
    (isNamedAsPort && SERVICE_LINK_VALUE.test(process.env[variable] ?? ''))
  );
}
