import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { hasProgram } from '../support/certificates.js';
import { newFolder } from '../support/fixture.js';
import { startProgram } from '../support/programs.js';

/** How a process that started a mock ends; what it does itself, or the signal that it gets. */
const ENDINGS = [
  'normally',
  'by an error',
  'by a time-out',
  'SIGINT',
  'SIGTERM',
  'SIGKILL',
] as const;
type Ending = (typeof ENDINGS)[number];

interface Starter {
  readonly title: string;
  readonly tool: string;
  /** Prepares a folder in which `command` starts a mock, prints that it is up, and ends so. */
  readonly prepare: () => string;
  readonly command: (ending: Ending) => readonly string[];
}

const PYTHON = `
import os, signal, sys, time
from billing_mock import Account
Account("test_endings.py::ends")
print("up", flush=True)
ending = sys.argv[1]
if ending == "by an error": raise RuntimeError("no")
if ending == "by a time-out": signal.alarm(1)
if ending != "normally": time.sleep(60)
`;

const GO = `package billing

import (
	"fmt"
	"os"
	"testing"
	"time"

	"billing/billingmock"
)

func TestMain(m *testing.M) { os.Exit(billingmock.Run(m)) }

func TestEnds(t *testing.T) {
	billingmock.NewAccount(t)
	fmt.Println("up")
	if os.Getenv("ENDING") == "by an error" {
		go func() { panic("no") }()
	}
	if os.Getenv("ENDING") != "normally" {
		time.Sleep(60 * time.Second)
	}
}
`;

const SHELL = `. ./billing-mock.sh
mock_start
mock_account ends
echo up
case $1 in
  normally) ;;
  'by an error') set -eu; echo "$none" ;;
  *) while :; do sleep 0.2; done ;;
esac
`;

const COMMAND = resolve('dist/cli.cjs');

const STARTERS: readonly Starter[] = [
  {
    title: 'Python',
    tool: 'python3',
    prepare() {
      const folder = newFolder();
      cpSync('examples/python/billing_mock.py', join(folder, 'billing_mock.py'));
      writeFileSync(join(folder, 'ends.py'), PYTHON);
      return folder;
    },
    command: (ending) => ['python3', '-B', 'ends.py', ending],
  },
  {
    title: 'Go',
    tool: 'go',
    prepare() {
      const folder = newFolder();
      cpSync('examples/go/go.mod', join(folder, 'go.mod'));
      cpSync('examples/go/billingmock', join(folder, 'billingmock'), { recursive: true });
      writeFileSync(join(folder, 'ends_test.go'), GO);
      spawnSync(this.tool, ['test', '-c', '-o', 'ends.test'], { cwd: folder });
      return folder;
    },
    command: (ending) => ['./ends.test', `-test.timeout=${ending === 'by a time-out' ? 15 : 60}s`],
  },
  {
    title: 'the shell',
    tool: 'sh',
    prepare() {
      const folder = newFolder();
      cpSync('examples/shell/billing-mock.sh', join(folder, 'billing-mock.sh'));
      writeFileSync(join(folder, 'ends.sh'), SHELL);
      return folder;
    },
    command: (ending) => [...limitOf(ending), 'sh', 'ends.sh', ending],
  },
];

function limitOf(ending: Ending): readonly string[] {
  return ending === 'by a time-out' ? ['timeout', '15'] : [];
}

/** The processes whose environment has this variable, zombies left out. */
function processesWith(variable: string): readonly string[] {
  const { stdout } = spawnSync('ps', ['axeww', '-o', 'pid=,stat=,command='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(variable) && !/^\s*\d+ Z/.test(line));
}

/** Waits, at most for ten seconds, until nothing is left of a mock; returns what is. */
async function leftOf(temporary: string): Promise<readonly string[]> {
  const latest = performance.now() + 10_000;
  const left = () => [processesWith(`TMPDIR=${temporary}`), readdirSync(temporary)].flat();
  while (left().length > 0 && performance.now() < latest) await passed(50);
  return left();
}

describe.each(STARTERS)('nothing is left of a mock that $title started', (starter) => {
  const isInstalled = hasProgram(starter.tool);
  const [runs, why] = isInstalled ? [test, ''] : [test.skip, ` (skipped: no ${starter.tool})`];
  let folder: string;
  beforeAll(() => {
    if (isInstalled) folder = starter.prepare();
  });

  runs.each(ENDINGS)(`when it ends: %s${why}`, async (ending) => {
    const temporary = newFolder();
    const [file = '', ...args] = starter.command(ending);
    const { PATH, HOME } = process.env;
    const mock = `node ${COMMAND}`;
    const program = startProgram(file, args, {
      cwd: folder,
      env: { PATH, HOME, TMPDIR: temporary, ENDING: ending, BILLING_MOCK_COMMAND: mock },
    });
    await program.printed('up');
    if (ending.startsWith('SIG')) {
      expect(processesWith(`TMPDIR=${temporary}`).length).toBeGreaterThan(1);
      program.kill(ending as NodeJS.Signals);
    }
    await program.ended();
    expect(await leftOf(temporary)).toEqual([]);
  });
});

/** Scripts whose traps the helper must leave alone, and what they print. */
const TRAPPED = [
  {
    tool: 'sh',
    script: `trap 'echo the trap of the script' EXIT
      trap 'echo interrupted; exit 3' INT
      . ./billing-mock.sh
      mock_start
      mock_account traps
      kill -s INT $$`,
    printed: /^interrupted\nthe trap of the script\n$/,
  },
  {
    tool: 'bats',
    script: `setup() { . ./billing-mock.sh; mock_start; mock_account "$BATS_TEST_NAME"; }
      @test "passes" { [ -n "$mock_url" ]; }
      @test "fails" { [ -z "$mock_url" ]; }`,
    printed: /^ok 1 passes\nnot ok 2 fails$/m,
  },
];

describe.each(TRAPPED)('the helper for the shell', ({ tool, script, printed }) => {
  const [runs, why] = hasProgram(tool) ? [test, ''] : [test.skip, ` (skipped: no ${tool})`];

  runs(`keeps the traps that a script of ${tool} has${why}`, async () => {
    const [folder, temporary] = [newFolder(), newFolder()];
    cpSync('examples/shell/billing-mock.sh', join(folder, 'billing-mock.sh'));
    writeFileSync(join(folder, 'traps'), script);
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, TMPDIR: temporary, BILLING_MOCK_COMMAND: `node ${COMMAND}` };
    const program = startProgram(tool, ['traps'], { cwd: folder, env });
    await program.ended();
    expect(program.output()).toMatch(printed);
    expect(await leftOf(temporary)).toEqual([]);
  });
});
