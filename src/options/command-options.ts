import type { OptionRow } from './option-table.js';
import { isText } from './option-values.js';

/** The options of the command alone: files, and single decisions. */
export const COMMAND_OPTIONS = {
  decide: {
    words:
      'switch a decision of docs/decisions.md; may be repeated, separated by commas in the variable',
    placeholder: 'id=value',
    expected: 'id=value, such as repeat-delete=gone',
    isValid: isText,
  },
  decisions: {
    words: 'YAML or JSON file of decisions by their ids',
    placeholder: 'file',
    expected: 'the path of a file',
    isValid: isText,
  },
  readyFile: {
    words: 'file to write url, token, pid and version to, as JSON, once the mock can be called',
    placeholder: 'file',
    expected: 'the path of a file',
    isValid: isText,
  },
} as const satisfies Record<string, OptionRow>;
