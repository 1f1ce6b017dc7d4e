/**
 * Header fields by lower-case name. Recorders and `fetch` join the values of a field that came more
 * than once with commas; the functions below read such a field as HTTP means it.
 */
export type Headers = Readonly<Record<string, string>>;

/** The media type without parameters; of several, the last, as in browsers (the Fetch standard, "extract a MIME type"). */
export function mediaTypeOf({ 'content-type': types = '' }: Headers): string | undefined {
  return valuesIn(types)
    .map((type) => String(type.split(';')[0]).trim().toLowerCase())
    .findLast((type) => /^[^\s/"]+\/[^\s/"]+$/.test(type) && type !== '*/*');
}

/** The length of a body; NaN for none, and for several (RFC 9110, section 8.6). */
export function contentLengthOf(headers: Headers): number {
  const length = singleOf(headers['content-length']);
  return /^\d+$/.test(length) ? Number(length) : Number.NaN;
}

/** How a body was encoded, in this order (RFC 9110, section 8.4). */
export function codingsOf({ 'content-encoding': codings = '' }: Headers): readonly string[] {
  const names = valuesIn(codings).map((coding) => coding.toLowerCase());
  return names.filter((name) => name !== '' && name !== 'identity');
}

/** The longest wait that a `Retry-After` asks for, in milliseconds from now; undefined if none. */
export function retryAfterMs({ 'retry-after': asked = '' }: Headers, nowMs: number) {
  const seconds = valuesIn(asked).filter((one) => /^\d+$/.test(one));
  // A date has a comma, too.
  const dates = asked.match(/[A-Za-z]{3,9}, [^,]+/g) ?? [asked];
  const waits =
    seconds.length > 0
      ? seconds.map((one) => Number(one) * 1000)
      : dates.map((date) => Date.parse(date) - nowMs).filter((ms) => !Number.isNaN(ms));
  return waits.length === 0 ? undefined : Math.max(0, ...waits);
}

/** The value of a field that may come once; the same value again means no more. */
export function singleOf(value = ''): string {
  const [first = '', ...others] = valuesIn(value);
  return others.every((other) => other === first) ? first : value;
}

function valuesIn(value: string): readonly string[] {
  return value.split(',').map((one) => one.trim());
}
