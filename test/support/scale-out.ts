import { endProgram, startProgram } from './programs.js';

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

/** Starts the example with the built command; rejects with its output if it ends. */
export async function startScaleOut(...args: readonly string[]): Promise<ScaleOut> {
  const program = startProgram(
    process.execPath,
    ['examples/scale-out/start.mjs', '--port', '0', ...args],
    {
      env: {
        PATH: process.env.PATH,
        BILLING_MOCK_COMMAND: `${process.execPath} dist/cli.cjs`,
        USAGE_BILLING_MOCK_CONTROL_TOKEN: CONTROL_TOKEN,
      },
    },
  );
  // This is the last line that it writes when all is ready.
  await program.printed('X-Control-Token');
  const output = program.stdout();
  const [, url = ''] = /ready on (\S+)/.exec(output) ?? [];
  const mocks = output.matchAll(/^mock \d+: (\S+) process (\d+)$/gm);
  return {
    url,
    mocks: [...mocks].map(([, mock = '', pid]) => ({ url: mock, pid: Number(pid) })),
    pid: program.pid,
    stop: () => endProgram(program),
  };
}
