import { randomBytes } from 'node:crypto';
import type { CompleteOptions } from '../options/complete-options.js';
import { isLoopback } from '../service/loopback.js';

/** The token that the control plane requires: the one given, or a random one where others can reach it. */
export function requiredToken(options: CompleteOptions): string | undefined {
  const { control, controlToken, host } = options;
  if (!control) return undefined;
  return controlToken ?? (isLoopback(host) ? undefined : randomBytes(18).toString('base64url'));
}
