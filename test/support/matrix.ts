import { runCommand } from './command.js';

/**
 * The command of a client in JavaScript; `call` calls the mock with its account, and rejects if the
 * response is a 500, unless `isTolerant`.
 */
export function client(code: string, { isTolerant = false } = {}): string[] {
  const call = `const call = async (path, token = process.env.USAGE_BILLING_MOCK_TOKEN, method = "GET") => {
    const response = await fetch(process.env.USAGE_BILLING_MOCK_URL + path, { method, headers: { Authorization: "Bearer " + token } });
    if (response.status === 500 && !${isTolerant}) throw new Error(await response.text());
    return response;
  };`;
  return ['node', '--input-type=module', '--eval', `${call}\n${code}`];
}

/** Runs `matrix` with a command to its end. */
export async function matrix(args: readonly string[], command: readonly string[], env = {}) {
  const running = runCommand(['matrix', ...args, '--', ...command], env);
  const exitCode = await running.ended();
  return { exitCode, stdout: running.stdout(), stderr: running.stderr() };
}
