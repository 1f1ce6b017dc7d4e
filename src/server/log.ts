import { styleText } from 'node:util';
import { type Logger, pino } from 'pino';
import type { LogFormat, LogLevel } from '../options/mock-server-options.js';
import { createSourceNames } from './source-names.js';

/** Where log lines are written: standard error, or a stream of a test. */
export type LogStream = NodeJS.WritableStream;

/** A logger of the level; `text` is one line a request for people, `json` is pino's format. */
export function createLogger(level: LogLevel, format: LogFormat, stream: LogStream): Logger {
  const nameSources = createSourceNames();
  const options = {
    level,
    base: null,
    serializers: {
      err(error: Error) {
        const serialized = pino.stdSerializers.err(error);
        return { ...serialized, stack: nameSources(serialized.stack) };
      },
    },
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

/** Levels of additional lines, not of failures. */
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

/** The text with control characters written as escapes: a request must not forge lines. */
function onOneLine(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
