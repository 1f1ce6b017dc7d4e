import { OptionError } from '../../options/complete-options.js';

/** Where requests go: the origin, and the path that all of them begin with. */
export interface Target {
  readonly origin: string;
  /** Without a slash at its end. */
  readonly prefix: string;
  /** The host, with its port if it has one. */
  readonly host: string;
}

const EXPECTED = 'expected a URL such as https://api.example.com/v1';

/** Reads the URL of a service. What it refuses may contain a password, and is not repeated. */
export function targetOf(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new OptionError(`The target is not a URL of http or https; ${EXPECTED}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OptionError(`The target contains a user or a password; ${EXPECTED}.`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new OptionError(`The target contains a query or a fragment (?… or #…); ${EXPECTED}.`);
  }
  const [prefix = ''] = /^(?:\/+[^/]+)*/.exec(url.pathname) ?? [];
  return { origin: url.origin, prefix, host: url.host };
}
