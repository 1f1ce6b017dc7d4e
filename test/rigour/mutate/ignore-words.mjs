import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Strings with a blank are words for people, which mutants need not change. */
const shouldIgnore = ({ node }) => {
  const texts =
    node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.raw) : [node.value];
  const isText = ['StringLiteral', 'TemplateLiteral'].includes(node.type);
  return isText && /\s/.test(texts.join('')) ? 'words for people' : undefined;
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'words', { shouldIgnore })];
