import { relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestInfo } from '@playwright/test';
import type { AccountControl, Remote } from '#spec';

/** The mock takes no longer titles and file names. */
const MAX_TITLE_LENGTH = 2_000;

/** The mock reads no more of a failure. */
const MAX_CHARACTERS = 20_000;

/** Read at the start, because a test may change it. */
const FOLDER = process.cwd();

/** Tells the mock how a try of a test ended, unless it was skipped or interrupted. */
export async function markTest(account: Remote<AccountControl>, testInfo: TestInfo): Promise<void> {
  const { status, expectedStatus, file } = testInfo;
  const hasPassed = status === expectedStatus;
  if (status === 'skipped' || status === 'interrupted') return;
  try {
    await account.markTest({
      outcome: hasPassed ? 'passed' : 'failed',
      file: relative(FOLDER, file).replaceAll(sep, '/').slice(-MAX_TITLE_LENGTH),
      title: wholeTitle(testInfo).slice(0, MAX_TITLE_LENGTH),
      ...(!hasPassed && { message: messageOf(testInfo).slice(0, MAX_CHARACTERS) }),
    });
  } catch {
    // An error here must not hide why the test has failed.
  }
}

/** The title with what else tells runs of one test apart. */
function wholeTitle({ titlePath, project, repeatEachIndex }: TestInfo): string {
  const title = titlePath.slice(1).join(' › ');
  const repeated = repeatEachIndex > 0 ? ` (repeat ${repeatEachIndex})` : '';
  return `${project.name && `[${project.name}] `}${title}${repeated}`;
}

/** Why the test failed, without colours. */
function messageOf({ errors, status, expectedStatus }: TestInfo): string {
  if (errors.length === 0) return `Expected ${expectedStatus}, but ${status}.`;
  const messages = errors.map(({ message, value }) => message ?? value ?? '');
  return stripVTControlCharacters(messages.join('\n\n'));
}
