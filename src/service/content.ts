import type { HeaderFields, ServiceResponse } from './service.js';

/** The bytes of a body that is not a stream. */
export function wholeOf({ body }: Pick<ServiceResponse, 'body'>): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('A stream of unknown length was to be delivered by a fault.');
}

/** Each header field with one value: a repeated one is there once for each. */
export function pairsOf(headers: HeaderFields): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}

const PIECES = 10;

/** The ten pieces in which a slow response arrives; some are empty if it is short. */
export function piecesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const end = (nth: number) => Math.floor((bytes.length * nth) / PIECES);
  return Array.from({ length: PIECES }, (_, nth) => bytes.subarray(end(nth), end(nth + 1)));
}

/** The pieces as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first, ...others] = pieces;
  if (first && others.length === 0) return first;
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
