/** The content policy forbids `eval`, and zod must not probe for it. Set before zod is loaded, in the object where zod
 * itself stores it (`z.config` writes to the same object), so that the first page does not load zod for it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
