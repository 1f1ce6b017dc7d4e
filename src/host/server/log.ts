import { styleText } from 'node:util';
import { type Logger, pino } from 'pino';
import type { Datasets } from '../../core/datasets/read-datasets.js';
import type { CompleteOptions } from '../options/complete-options.js';
import type { LogFormat, LogLevel } from '../options/mock-server-options.js';

/** Standard error, or a test's stream. */
export type LogStream = NodeJS.WritableStream;

/** Creates a logger; `text` is for people, `json` is pino's format. */
export function createLogger(level: LogLevel, format: LogFormat, stream: LogStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const write = {
    text: (line: string) => stream.write(`${textLine(JSON.parse(line), stream)}\n`),
    json: (line: string) => stream.write(line),
  };
  return pino(options, { write: write[format] });
}

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly method?: string;
  readonly url?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly problem?: string;
  readonly isAborted?: boolean;
  readonly err?: { readonly stack?: string };
  readonly details?: unknown;
}

/** The levels that are shown in grey. */
const QUIET: ReadonlySet<string> = new Set(['debug', 'trace']);

function textLine(line: LogLine, stream: LogStream): string {
  const { level, time, msg, method, url, status, durationMs, problem, isAborted, err, details } =
    line;
  const style = (format: Parameters<typeof styleText>[0], text: string) =>
    styleText(format, text, { stream });
  const words = [
    style('gray', time.slice(11, 23)),
    ...(level === 'info' ? [] : [style(QUIET.has(level) ? 'gray' : 'red', level)]),
    ...(status === undefined ? [] : [style(status < 400 ? 'green' : 'yellow', String(status))]),
    ...(method && url ? [`${method} ${url}`] : []),
    ...(durationMs === undefined ? [] : [style('gray', `${durationMs} ms`)]),
    ...(isAborted ? ['(the connection was closed first)'] : []),
    ...(problem ? [`${style('yellow', problem)}: ${onOneLine(msg)}`] : []),
    ...(status === undefined && !problem && !isAborted ? [onOneLine(msg)] : []),
    ...(details === undefined ? [] : [onOneLine(inText(details))]),
  ];
  const stack = err?.stack?.split('\n').map(onOneLine) ?? [];
  return [words.join(' '), ...stack].join('\n');
}

function inText(details: unknown): string {
  return typeof details === 'string' ? details : JSON.stringify(details);
}

/** Escapes control characters, so that a request cannot forge lines. */
function onOneLine(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function logStart(
  logger: Logger,
  { accounts, controlToken, stubs, routes, ...options }: CompleteOptions,
  { main, decisions }: Datasets,
  readMs: number,
): void {
  const details = {
    ...options,
    // Without the tokens, which are its keys: whoever can read one can use its account.
    accounts: Object.values(accounts),
    ...(controlToken !== undefined && { controlToken: '[redacted]' }),
    stubs: stubs.map(({ method, path }) => `${method} ${path}`),
    decisions: { ...decisions, ...options.decisions },
  };
  logger.debug({ details }, 'options in force');
  const { seed, customers, contracts } = main;
  // Measurements are drawn, and so counted, when one is first read.
  const sizes = { customers: customers.size, contracts: contracts.size };
  logger.debug({ details: { seed, ...sizes } }, `dataset read in ${Math.round(readMs)} ms`);
}
