import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { demand } from './check-response.js';
import { kind } from './kind.js';
import { BOUND_MS, HEAP, STACK_IN_LOG } from './target.js';

const READERS = [
  '--port 0 --dataset fixture.yaml',
  '--port 0 --state-file state.json',
  'decisions --decisions decisions.yaml',
  'coverage coverage.json',
  'settle --har settled.har',
  'fixture --har recording.har',
];

const HAR = '{"log":{"entries":[{"request":{"method":"GET","url":"http://x/measurements"},';
/** The beginning, a repeated part, the middle, a part that is repeated as often, and the end. */
const SHAPES: readonly (readonly [string, string, string, string, string])[] = [
  ['', '[', '1', ']', ''],
  ['{"customers":[{"id":"x","name":', '[', '', ']', '}]}'],
  ['{"log":{"entries":[', '{"a":', '1', '}', ']}}'],
  ['{"format":1,"accounts":', '[{"a":', '1', '}]', '}'],
  [`${HAR}"response":{"status":200,"content":{"text":"`, '[', '', ']', '"}}}]}}'],
  ['customers:\n', '- ', 'x\n', '', ''],
  ['customers: ', '{a: ', '1', '}', '\n'],
  ['', '? ', 'x\n', '', ''],
  ['', '{"a":', '', '', ''],
  ['', ' ', '{}', '', ''],
  ['{"customers":[]}', '\n', '', '', '\0'],
];

/** Files that are nested deeply or have many blanks; the command must refuse them in a sentence. */
export const files = kind(
  1,
  fc.record({
    reader: fc.constantFrom(...READERS),
    shape: fc.constantFrom(...SHAPES),
    levels: fc.integer({ min: 101, max: 2_000_000 }),
  }),
  async (target, { reader, shape, levels }) => {
    const flags = reader.replace(/\w+\.\w+$/, (name) => join(target.folder, name)).split(' ');
    const [before, open, middle, close, end] = shape;
    const text = before + open.repeat(levels) + middle + close.repeat(levels) + end;
    writeFileSync(flags.at(-1) ?? '', text);
    const child = spawn(process.execPath, [HEAP, 'dist/cli.cjs', ...flags]);
    let [said, isReady] = ['', false];
    child.stderr.on('data', (piece) => {
      said += piece;
    });
    child.stdout.on('data', (piece) => {
      isReady ||= String(piece).includes('http://');
      if (isReady) child.kill('SIGTERM');
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), 2 * BOUND_MS);
    const [code, signal] = await once(child, 'exit');
    clearTimeout(timer);
    const isSaid = said.length < 20_000 && !STACK_IN_LOG.test(said) && code <= 4;
    demand(isSaid && (signal === null || isReady), 'a sentence', `${signal ?? code} ${said}`);
  },
);
