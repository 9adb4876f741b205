import * as z from 'zod/mini';
import { Id } from './fields.ts';

/** Fields of forms and calls that no page for guests has, so that the first load does without. */

/** A text field that must not be left out, named as its rules name it. */
export const requiredText = (name: string, min: number, max: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(min, `${name} must be at least ${min} characters.`),
      z.maxLength(max, `${name} must be at most ${max} characters.`),
    );

const idList = (limit: number, { one, many }: { one: string; many: string }) =>
  z.array(Id).check(
    z.maxLength(limit, mostOf(limit, many)),
    z.refine((ids) => new Set(ids).size === ids.length, `Each ${one} only once.`),
  );

/** The rule of a list that is full. */
export const mostOf = (limit: number, many: string) => `At most ${limit} ${many}.`;

/** Ids of uploaded photos in their order, at most `limit`. */
export const photoIds = (limit: number, photos = 'photos') => idList(limit, { one: 'photo', many: photos });

/** Ids of messages, at most `limit`. */
export const messageIdList = (limit: number) => idList(limit, { one: 'message', many: 'messages' });

/** The rule of a field that belongs to one choice of a form. */
export const belongsTo = <Form>(field: string, choice: string, holds: (form: NoInfer<Form>) => boolean) =>
  z.refine<Form>(holds, { path: [field], message: `Belongs to ${choice}, and only to it.` });
