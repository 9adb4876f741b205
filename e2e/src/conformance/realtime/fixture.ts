import { randomUUID } from 'node:crypto';
import { accounts } from '@tara/contract/accounts/accounts';
import { conversations } from '@tara/contract/messages/conversations';
import { waitFor } from '../../outside.ts';
import { type Person, password, sendMessage, signIn } from '../../steps.ts';
import type { BaseFixture, Member } from '../fixture.ts';

/** An event as an SDK hands it on. */
export interface HeardEvent {
  events: string[];
  payload: Record<string, unknown>;
}

interface Listener {
  hear(event: HeardEvent): void;
  /** Waits for an event. */
  until(isIt: (event: HeardEvent) => boolean): Promise<HeardEvent>;
  events(): readonly HeardEvent[];
}

/** What cases of the socket begin from. */
export interface RealtimeFixture {
  /** A member with a conversation in which another member writes. */
  conversation(): Promise<{
    member: Member;
    profileId: string;
    convoId: string;
    write(body: string): Promise<unknown>;
  }>;
  /** The chat of a paid request, whose client listens while its creator writes. */
  receiptChat(): Promise<{ member: Member; chatId: string; write(body: string): Promise<unknown> }>;
  /** A list of events, with the function that an SDK calls for each. */
  listen(): Listener;
}

const readProfileId = async ({ client }: Person) => (await client.call(accounts.session)).profile.id;

export function realtimeFixture({ tara, newMember, parties, payingMember }: BaseFixture): RealtimeFixture {
  return {
    conversation: async () => {
      const [member, other] = [await newMember(), await newMember()];
      const own = await signIn(tara.url, member.email, password);
      const theirs = await signIn(tara.url, other.email, password);
      const profileId = await readProfileId(own);
      const body = { creator1: profileId, creator2: await readProfileId(theirs) };
      const { id: convoId } = await own.client.call(conversations.createConversation, { body });
      const write = (person: Person, text: string) =>
        person.client.call(conversations.sendMessage, {
          body: { convoId, body: text, clientKey: randomUUID() },
        });
      await write(own, 'Kumusta');
      return { member, profileId, convoId, write: (text) => write(theirs, text) };
    },
    receiptChat: async () => {
      const { creator, chatId } = await parties();
      return { member: await payingMember(), chatId, write: (text) => sendMessage(creator, chatId, text) };
    },
    listen: () => {
      const heard: HeardEvent[] = [];
      return {
        events: () => heard,
        hear: (event) => void heard.push(event),
        until: (isIt) => waitFor('event', async () => heard.find(isIt)),
      };
    },
  };
}
