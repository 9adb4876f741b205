/** The content policy forbids `eval`, and zod must not probe for it. Set in the object where zod itself stores it (`z.config`
 * writes to the same object) and before zod is loaded, so that the first page does not load zod for it.
 */
const scope = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
scope.__zod_globalConfig = Object.assign(scope.__zod_globalConfig ?? {}, { jitless: true });
