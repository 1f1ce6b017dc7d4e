import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Several mocks behind nginx, as the example starts them. */
export interface ScaleOut {
  /** The address of nginx. */
  readonly url: string;
  readonly mocks: readonly { readonly url: string; readonly pid: number }[];
  /** The process that started them. */
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

export const CONTROL_TOKEN = 'control-of-all-mocks';

/** Starts the example with the built command; rejects with what it said if it ends. */
export async function startScaleOut(...args: readonly string[]): Promise<ScaleOut> {
  const child = spawn(process.execPath, ['examples/scale-out/start.mjs', '--port', '0', ...args], {
    env: {
      PATH: process.env.PATH,
      BILLING_MOCK_COMMAND: `${process.execPath} dist/cli.cjs`,
      USAGE_BILLING_MOCK_CONTROL_TOKEN: CONTROL_TOKEN,
    },
  });
  const output = await outputOf(child);
  const [, url = ''] = /ready on (\S+)/.exec(output) ?? [];
  const mocks = output.matchAll(/^mock \d+: (\S+) process (\d+)$/gm);
  return {
    url,
    mocks: [...mocks].map(([, mock = '', pid]) => ({ url: mock, pid: Number(pid) })),
    pid: Number(child.pid),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** What it has written when all is ready. */
function outputOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  let output = '';
  let complaints = '';
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('X-Control-Token')) resolve(output);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints += text;
    });
    child.once('exit', () => reject(new Error(`The example has ended: ${complaints}`)));
  });
}
