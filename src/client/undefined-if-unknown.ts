import { UnknownIdError } from '../errors/unknown-id.js';

/** The answer; undefined if the account does not have what was asked for. */
export async function undefinedIfUnknown<Answer>(
  answer: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof UnknownIdError) return undefined;
    throw error;
  }
}
