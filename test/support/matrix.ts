import { runCommand } from './command.js';

/** The command of a client in one line of JavaScript; `call` calls the mock with its account. */
export function client(code: string): string[] {
  const call =
    'const call = (path, token = process.env.USAGE_BILLING_MOCK_TOKEN, method = "GET") => fetch(process.env.USAGE_BILLING_MOCK_URL + path, { method, headers: { Authorization: "Bearer " + token } });';
  return ['node', '--input-type=module', '--eval', `${call}\n${code}`];
}

/** Runs `matrix` with a command to its end. */
export async function matrix(args: readonly string[], command: readonly string[], env = {}) {
  const running = runCommand(['matrix', ...args, '--', ...command], env);
  const exitCode = await running.ended();
  return { exitCode, stdout: running.stdout(), stderr: running.stderr() };
}
