import { type ResolveFnOutput, type ResolveHookContext, registerHooks } from 'node:module';

// Node reads the package.json of a package again for each import of it and in it. The one of drizzle-orm has 179 kB, and the
// server imports it or one of its files a thousand times: that was more than half of the time of a start.

/** What a package's name leads to from the sources of one workspace. */
const resolved = new Map<string, ResolveFnOutput>();

const isOwn = (url: string | undefined) => url !== undefined && !url.includes('/node_modules/');
const isInDrizzle = (url: string | undefined) => url?.includes('/node_modules/drizzle-orm/') === true;

const keyOf = (specifier: string, { parentURL = '', conditions }: ResolveHookContext) =>
  [parentURL.slice(0, parentURL.lastIndexOf('/src/')), specifier, ...conditions].join(' ');

/** Resolves each package once for each workspace, and drizzle-orm's imports of its own files without its package.json. */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const isRelative = specifier.startsWith('.');
    if (isRelative && isInDrizzle(context.parentURL) && context.conditions.includes('import'))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
    if (isRelative || !isOwn(context.parentURL)) return nextResolve(specifier, context);
    const key = keyOf(specifier, context);
    const resolution = resolved.get(key) ?? nextResolve(specifier, context);
    resolved.set(key, resolution);
    return { ...resolution, shortCircuit: true };
  },
});
