import type { HelpConfiguration } from 'commander';

/** The least width at which a description is beside its flag, not below it. */
const LEAST_COLUMNS_BESIDE = 80;
const INDENT_BELOW = 4;
const INDENT = 2;

/** Formats the help so that no word is broken, however narrow the terminal is. */
export const HELP: HelpConfiguration = {
  minWidthToWrap: 20,
  formatItem(term, termWidth, description, helper) {
    const { helpWidth = LEAST_COLUMNS_BESIDE } = helper;
    const isBeside = helpWidth >= LEAST_COLUMNS_BESIDE;
    const indent = isBeside ? INDENT + termWidth + INDENT : INDENT_BELOW;
    const wrapped = helper.boxWrap(description, helpWidth - indent);
    const below = wrapped.replaceAll(/^/gm, ' '.repeat(indent));
    const left = ' '.repeat(INDENT) + term;
    return isBeside ? left.padEnd(indent) + below.trimStart() : `${left}\n${below}`;
  },
};
