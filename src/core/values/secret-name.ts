export const REDACTED = '[redacted]';

/** The names of variables, header fields, parameters and members whose values are credentials. */
export const SECRET_NAME =
  /(?<!unknown-)token|passw|passphrase|secret|signature|authorization|(?<!allow-)credential|cookie|(api|access|private|signing|encryption|session|subscription|functions).?key|client.?assertion|(?<![a-z])(auth|pass|pwd|sig|otp|assertion)(?![a-z])/i;

/** A credential as it may be shown: of a text only its scheme, if it is a known one. */
export function redacted(secret: unknown): string {
  const [scheme = ''] = /^(bearer|basic|digest) /i.exec(String(secret)) ?? [];
  return scheme + REDACTED;
}
