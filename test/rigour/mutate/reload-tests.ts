import type { ResolveHook } from 'node:module';

/**
 * A file of tests is imported with a number, which what it imports of `test` gets too: all of it is
 * loaded anew, as jest does, while the modules of the mock stay.
 */
export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const resolved = await nextResolve(specifier, context);
  const [, folder, number] = /^(.+\/test\/).*(\?\d+)$/.exec(context.parentURL ?? '') ?? [];
  const isOfTests =
    folder && resolved.url.startsWith(folder) && !resolved.url.includes('/node_modules/');
  return isOfTests ? { ...resolved, url: `${resolved.url}${number}` } : resolved;
};
