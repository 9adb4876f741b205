import { calls, Done, get, post } from '@tara/contract/calls';
import * as z from 'zod/mini';

const text = (max: number) => z.string().check(z.maxLength(max));

/** Calls whose handlers are broken, each in one way, and one that works. */
export const broken = calls('/api/broken', {
  fails: post('/fails', {
    summary: 'Answers 500 to an object without a name.',
    body: z.object({ note: z.optional(z.unknown()) }),
    reply: Done,
  }),
  blocks: post('/blocks', {
    summary: 'Blocks the event loop for 1 ms per character of the text.',
    body: z.object({ words: text(400) }),
    reply: Done,
  }),
  holds: post('/holds', {
    summary: 'Holds what `shared` waits for, without work, for 2 ms per character of the text.',
    body: z.object({ words: text(400) }),
    reply: Done,
  }),
  stalls: post('/stalls', {
    summary: 'Holds what `shared` waits for, for a second, each third time.',
    body: z.object({ title: text(10) }),
    reply: Done,
  }),
  shared: get('/shared', {
    summary: 'Waits for what `holds` holds.',
    access: 'anyone',
    reply: Done,
  }),
  leaksField: get('/leaksField', {
    summary: 'Answers a field that the contract does not have.',
    reply: z.object({ id: z.string() }),
  }),
  leaksOther: get('/leaksOther', {
    summary: 'Returns the email of one member to everybody.',
    reply: z.object({ accountId: z.string(), email: z.optional(z.string()) }),
  }),
  writes: post('/writes', {
    summary: 'Refuses, and has already written.',
    body: z.object({ title: text(10) }),
    reply: Done,
    errors: ['post_not_found'],
  }),
  missingAccess: get('/missingAccess', {
    summary: 'Is for admins, but allows everybody.',
    access: 'anyone',
    reply: Done,
  }),
  works: post('/works', {
    summary: 'Works correctly.',
    body: z.object({ title: text(10) }),
    reply: Done,
  }),
});
