import type { Response } from 'express';
import { clearTimeout, setTimeout } from '../real-time.js';

/** Continues after a time, unless the connection is closed by then. */
export function wait(response: Response, durationMs: number, proceed: () => void): void {
  const timer = setTimeout(() => {
    response.off('close', cancel);
    proceed();
  }, durationMs);
  const cancel = () => clearTimeout(timer);
  response.once('close', cancel);
}
