import type { Response } from 'express';

/** JSON to be sent in pieces, because as one text it would take too long or too much memory. */
export class JsonPieces {
  readonly pieces: readonly Buffer[];
  /** In bytes. */
  readonly length: number;

  constructor(pieces: readonly Buffer[], length: number) {
    this.pieces = pieces;
    this.length = length;
  }
}

/** Sends the pieces as one body. */
export function sendJsonPieces(response: Response, { pieces, length }: JsonPieces): void {
  response.set({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(length),
  });
  for (const piece of pieces) response.write(piece);
  response.end();
}
