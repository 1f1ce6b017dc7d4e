import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What has a blank is words for people; what tests show them is not repeated by mutants. */
const shouldIgnore = ({ node }) => {
  const texts =
    node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.raw) : [node.value];
  const isText = ['StringLiteral', 'TemplateLiteral'].includes(node.type);
  return isText && /\s/.test(texts.join('')) ? 'words for people' : undefined;
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'words', { shouldIgnore })];
