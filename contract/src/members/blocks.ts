import * as z from 'zod/mini';
import { calls, post } from '../calls.ts';
import { Id, Time } from '../fields.ts';
import { getPage } from '../page.ts';
import { Person } from './profiles.ts';

/**
 * A member whom the viewer blocked: profile id, the name at that time, and nothing else of them but the pair key of the
 * conversation of the two, which stays readable as evidence; null when they never had one.
 */
export const BlockedMember = z.object({
  id: z.string(),
  name: z.string(),
  mixId: z.nullable(z.string()),
  blockedAt: Time,
});
export type BlockedMember = z.infer<typeof BlockedMember>;

/** A member whom the viewer muted. */
export const MutedMember = z.extend(Person, { mutedAt: Time });
export type MutedMember = z.infer<typeof MutedMember>;

const OtherMember = z.strictObject({ profileId: Id });

/** Blocks and mutes (§6): both are the viewer's own, and nobody is notified of them. */
export const blocks = calls('/api/visibility', {
  block: post('/block', {
    whileSuspended: true,
    summary: 'Blocks a member: both vanish from each other; repeating it changes nothing.',
    body: OtherMember,
    errors: ['profile_not_found', 'block_own_profile', 'block_limit_reached'],
  }),
  unblock: post('/unblock', {
    whileSuspended: true,
    summary: 'Ends your block of a member; without one it changes nothing.',
    body: OtherMember,
  }),
  mute: post('/mute', {
    whileSuspended: true,
    summary: 'Hides the posts, comments and reviews of a member from you; repeating it changes nothing.',
    body: OtherMember,
    errors: ['profile_not_found', 'block_own_profile', 'block_limit_reached'],
  }),
  unmute: post('/unmute', {
    whileSuspended: true,
    summary: 'Shows the posts, comments and reviews of a member again.',
    body: OtherMember,
  }),
  blocked: getPage('/blocked', BlockedMember, {
    summary: 'The members whom you blocked, last blocked first, 20 a page.',
  }),
  muted: getPage('/muted', MutedMember, {
    summary: 'The members whom you muted, last muted first, 20 a page.',
  }),
});
