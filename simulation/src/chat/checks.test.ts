import { describe, expect } from 'vitest';
import { commonInvariants, type Finding } from '../lives/life.ts';
import { liveSeed } from '../lives/run.ts';
import { minuteMs } from '../lives/script.ts';
import { livesTest, testKnown, whileTampered } from '../testing/lives.ts';
import {
  type ChatInvariant,
  chatInvariants,
  checkLists,
  checkQuiet,
  checkStored,
  type Listener,
  type StoredChat,
} from './checks.ts';
import type { Deed, Script } from './script.ts';
import { chat } from './subject.ts';
import type { World } from './world.ts';

const scriptOf = (...deeds: Deed[]): Script => ({
  ...{ environment: {}, tells: false },
  acts: deeds.map((deed) => ({ deed, steps: null })),
});

const send = (by: 0 | 1, index = 0): Deed => ({ do: 'send', chat: index, by, isTwice: false });

/** Two conversations, of which one is a message request, and the chat of a plan. */
const talk = scriptOf(
  ...[{ do: 'open', pair: 0, by: 0 } as const, send(0), send(1), send(0)],
  ...[{ do: 'read', chat: 0, by: 1 } as const, { do: 'open', pair: 2, by: 0 } as const, send(0, 1)],
  ...[{ do: 'openPlan', by: 0 } as const, send(0, 2), { do: 'pass', ms: minuteMs } as const],
);

const test = livesTest('chat', chat)
  /** What is stored once the talk is over. The lives of later tests replace it. */
  .extend('lived', { scope: 'file' }, async ({ place }) => {
    const { findings } = await liveSeed(place, 1, { script: talk });
    expect(findings).toEqual([]);
    return place.world;
  });

/** What the first member's device has of the conversation, as if it had sent all of it. */
async function listen(world: World): Promise<{ device: Listener; chats: StoredChat[] }> {
  const { chats } = await checkStored(world, []);
  const [talked] = chats;
  if (!talked) throw new Error('no chat is stored');
  const rows = await world.admin`select id, sequence, body, client_key from messages
    where chat_id = ${talked.id} order by sequence`;
  const typed = rows.map(({ id, sequence, body, client_key: clientKey }) => ({
    ...{ text: body, clientKey, stored: { id, sequence } },
  }));
  const [member, other] = world.members;
  return {
    chats,
    device: {
      ...{
        name: 'the device',
        chat: { id: talked.id, kind: talked.kind, mixId: '', members: [member, other] },
      },
      ...{ member, typed, unsent: new Set(), read: 0, isConnected: true, isReading: true },
      received: new Map(rows.map((row) => [row.sequence, row as never])),
    },
  };
}

type Listening = Awaited<ReturnType<typeof listen>>;

/** What is wrong, and how it is looked for. */
interface Case {
  what: string;
  find(world: World): Promise<Finding[]>;
}

/** What the checks after each commit find of rows that are changed. */
const stored = (what: string, statements: string): Case => ({
  what,
  find: (world) => whileTampered(world, statements, async () => (await checkStored(world, [])).findings),
});

/** The same of what is stored now, when this was stored before. */
const changed = (what: string, change: (chat: StoredChat) => object): Case => ({
  what,
  find: async (world) => {
    const { chats } = await checkStored(world, []);
    return (
      await checkStored(
        world,
        chats.map((row) => ({ ...row, ...change(row) })),
      )
    ).findings;
  },
});

/** What is found of a device once nothing is under way. */
const quiet = (what: string, change: (listening: Listening) => void): Case => ({
  what,
  find: async (world) => {
    const listening = await listen(world);
    change(listening);
    return checkQuiet(world, { devices: [listening.device], chats: listening.chats });
  },
});

const lists = (what: string, statements: string): Case => ({
  what,
  find: (world) => whileTampered(world, statements, () => checkLists(world)),
});

const conversation = "(select id from chats where kind = 'conversation' order by created_at, id limit 1)";

const cases: Partial<Record<ChatInvariant, readonly Case[]>> = {
  'messages count on without a gap': [
    stored('a sequence', 'update messages set sequence = sequence + 1 where sequence = 3'),
    stored('the messages of the first', 'update messages set first_count = 7'),
    stored('the messages of the second', 'update messages set second_count = 7'),
  ],
  'a chat counts its messages': ['last_sequence', 'first_count', 'second_count'].map((column) =>
    stored(column, `update chats set ${column} = 7`),
  ),
  'nothing is doubled': [
    stored(
      'a key',
      `alter table messages drop constraint messages_chat_id_user_id_client_key_key;
      update messages set client_key = 'the same'`,
    ),
  ],
  'nobody writes after the end': [
    stored('an end', "update chats set closed_at = created_at - interval '1 day'"),
    stored('an expiry', "update chats set expires_at = created_at - interval '1 day'"),
  ],
  'a chat is blocked while one blocks the other': [
    stored('a chat', 'update chats set blocked = true'),
    stored('a block', "insert into blocks values ('ben', 'ana', 'Ben', 'Ana')"),
  ],
  'a message request has few messages until it is accepted': [
    stored('the first’s', 'update chats set awaits_id = second_id, first_count = 50'),
    stored('the second’s', 'update chats set awaits_id = first_id, second_count = 50'),
  ],
  'what was taken back is gone': [
    stored('a text', 'update messages set unsent_at = now()'),
    stored('a picture', "update messages set unsent_at = now(), body = 'message unsent', picture = '{}'"),
  ],
  'what was taken back is stored of plan chats alone': [
    stored(
      'a message',
      `insert into unsent_messages (chat_id, sequence, body) values (${conversation}, 1, 'gone')`,
    ),
  ],
  'a chat shows its newest message': [
    stored('a preview', "update chats set preview = 'another'"),
    stored('whose it is', 'update chats set preview_by = null'),
  ],
  'a mark is what was read': [
    stored('what was read', 'update chat_marks set read = 9, delivered = 9'),
    stored('what was delivered', 'update chat_marks set delivered = 9'),
    stored('what was read and not delivered', 'update chat_marks set delivered = 0 where read > 0'),
    stored('how many were read', 'update chat_marks set incoming_read = 9'),
  ],
  'a chat loses no messages': [
    changed('a message', ({ lastSequence }) => ({ lastSequence: lastSequence + 1 })),
  ],
  'no chat is lost': [changed('a chat', () => ({ id: 'another' }))],
  'between two of whom one blocks the other nobody writes': [
    {
      what: 'a message',
      find: (world) =>
        whileTampered(world, 'update chats set blocked = true', async () => {
          const { chats } = await checkStored(world, []);
          const before = chats.map((row) => ({ ...row, written: row.written - 1 }));
          return (await checkStored(world, before)).findings;
        }),
    },
  ],
  'a mark never falls': [changed('a mark', () => ({ reads: { ana: 9 } }))],
  'what was acknowledged is stored': [
    quiet(
      'a text',
      ({
        device: {
          typed: [first],
        },
      }) => Object.assign(first ?? {}, { text: 'another' }),
    ),
    quiet(
      'a key',
      ({
        device: {
          typed: [first],
        },
      }) => Object.assign(first ?? {}, { clientKey: 'another' }),
    ),
    quiet(
      'an id',
      ({
        device: {
          typed: [first],
        },
      }) => Object.assign(first?.stored ?? {}, { id: 'another' }),
    ),
    quiet(
      'a message',
      ({
        device: {
          typed: [first],
        },
      }) => Object.assign(first?.stored ?? {}, { sequence: 9 }),
    ),
  ],
  'the order is the one in which it was typed': [
    quiet('two', ({ device }) => void (device.typed as unknown[]).reverse()),
    quiet('one', ({ device }) => void device.typed.push(...device.typed.slice(-1))),
  ],
  'what was acknowledged as taken back is gone': [
    quiet('a message', ({ device }) => void device.unsent.add(device.typed[0]?.stored?.id ?? '')),
  ],
  'a mark that was acknowledged is stored': [
    quiet('a mark', ({ device }) => void Object.assign(device, { read: 9 })),
  ],
  'who listens has everything': [
    quiet('a message', ({ device }) => void device.received.delete(2)),
    quiet('a text', ({ device }) => Object.assign(device.received.get(2) ?? {}, { body: 'another' })),
    quiet('an id', ({ device }) => Object.assign(device.received.get(2) ?? {}, { id: 'another' })),
  ],
  'who listens has nothing else': [
    quiet('a message', ({ device }) => void device.received.set(9, { id: 'another' } as never)),
  ],
  'lists show what the chats have': [
    lists('a row', 'delete from chat_entries'),
    lists('a mark', 'delete from chat_marks'),
    ...[
      'version = 99',
      'last_sequence = 99',
      'incoming = 99',
      "preview = 'another'",
      "awaits_id = 'ana'",
    ].map((change) => lists(change, `update chat_entries set ${change}`)),
    ...['expires_at = null', 'read = 99', 'incoming_read = 99'].map((change) =>
      lists(change, `update chat_entries set ${change}`),
    ),
  ],
};

const tamper = (statement: string): Deed => ({ do: 'tamper', statement });
const pass: Deed = { do: 'pass', ms: minuteMs };
/** What the process had in memory of what is changed is gone. */
const restart: Deed = { do: 'crash', point: null };
const open: Deed = { do: 'open', pair: 0, by: 0 };

/** What is found in a life of which something is changed on its way. */
interface Changed {
  what: string;
  deeds: Deed[];
  /** Undoes what is not rows. */
  undo?: string;
}

const lives: Partial<Record<ChatInvariant, readonly Changed[]>> = {
  'a chat counts its messages': [
    {
      what: 'what is looked at after each commit',
      deeds: [open, send(0), tamper('update chats set first_count = 7')],
    },
  ],
  'what was acknowledged is stored': [
    { what: 'a message', deeds: [open, send(0), tamper("update messages set body = 'changed'"), pass] },
  ],
  'lists show what the chats have': [
    { what: 'a row of a list', deeds: [open, send(0), tamper('delete from chat_entries'), pass] },
  ],
  'a list is read': [{ what: 'who may', deeds: [open, send(0), tamper('delete from sessions'), pass] }],
  'a list has the chats that it should': [
    {
      what: 'which list has a chat',
      deeds: [open, send(0), tamper("update chat_entries set kind = 'receipt'"), pass],
    },
  ],
  'counts are what was not read': [
    {
      what: 'what was read',
      deeds: [
        ...[open, send(0), pass],
        tamper('update chat_marks set incoming_read = 1; update chat_entries set incoming_read = 1'),
        pass,
      ],
    },
  ],
  'unread conversations are counted': [
    {
      what: 'who is hidden',
      deeds: [open, send(0), pass, tamper("update chat_entries set other_id = 'nobody'"), pass],
    },
  ],
  'no call fails inside': [
    {
      what: 'a mark that cannot be stored',
      deeds: [
        ...[open, send(0), tamper('alter table chat_marks add constraint refused check (read = 0)')],
        { do: 'read', chat: 0, by: 1 },
      ],
      undo: 'alter table chat_marks drop constraint refused',
    },
  ],
  'a chat that is open takes messages': [
    { what: 'who may send', deeds: [open, send(0), tamper('delete from sessions'), restart, send(0)] },
  ],
  'who is blocked reaches nobody': [
    {
      what: 'a message',
      deeds: [
        ...[open, send(0), { do: 'block', chat: 0, by: 0 } as const],
        ...[tamper('delete from blocks; update chats set blocked = false'), restart, send(1)],
      ],
    },
  ],
  'who is blocked is shown to nobody': [
    {
      what: 'a mark',
      deeds: [
        ...[open, send(0), { do: 'block', chat: 0, by: 0 } as const],
        ...[tamper('delete from blocks; update chats set blocked = false'), restart],
        { do: 'read', chat: 0, by: 1 },
      ],
    },
  ],
  'who hides read marks shows and sees none': [0, 1].map((member) => ({
    what: `a mark that ${member === 0 ? 'they would see' : 'others see of them'}`,
    deeds: [
      ...[open, send(0), { do: 'showMarks', member, isShown: false } as const],
      ...[tamper('update chat_marks set shows_read = true'), { do: 'read', chat: 0, by: 1 } as const],
    ],
  })),
  'no mark is shown of what is not stored': [
    {
      what: 'a mark',
      deeds: [
        ...[open, send(0), tamper("update chat_marks set read = 9, delivered = 0 where member_id = 'ben'")],
        { do: 'read', chat: 0, by: 1 },
      ],
    },
  ],
  'a chat is read by those who may': [
    { what: 'who may', deeds: [open, send(0), tamper('delete from sessions')] },
    { what: 'a block', deeds: [open, send(0), tamper('update chats set blocked = true')] },
  ],
  'who reads since a message has everything': [
    {
      what: 'more than what is read at once',
      deeds: [
        ...[open, send(0)],
        tamper(`insert into messages (chat_id, sequence, id, name, body, client_key, first_count, second_count)
          select id, number, 'more' || number, 'Tara', 'more', 'key-' || number, 1, 0 from chats, generate_series(2, 100) as number`),
      ],
    },
  ],
  'the people go on': [
    { what: 'what cannot be sent', deeds: [open, { do: 'answer', chat: 0, by: 1, answer: 1n as never }] },
  ],
};

test('each invariant is broken by a test', () => {
  expect([...new Set([...Object.keys(cases), ...Object.keys(lives)])].sort()).toEqual(
    [...chatInvariants].sort(),
  );
});

const rowsOf = <Row extends object>(table: Partial<Record<ChatInvariant, readonly Row[]>>) =>
  Object.entries(table).flatMap(([breaks, rows]) => rows.map((row) => ({ ...row, breaks })));

describe('what the checks of chats find', () => {
  test('nothing where nothing is changed', async ({ lived }) => {
    const { findings } = await checkStored(lived, []);
    const { device, chats } = await listen(lived);
    const others = [...(await checkQuiet(lived, { devices: [device], chats })), ...(await checkLists(lived))];
    expect([...findings, ...others]).toEqual([]);
  });

  test.for(rowsOf(cases))('$breaks: $what', async ({ find, breaks }, { lived }) => {
    expect((await find(lived)).map(({ invariant }) => invariant)).toContain(breaks);
  });
});

/** A life goes on after whatever breaks. */
const goOn = [...chatInvariants, ...commonInvariants].map((invariant) => ({
  ...{ invariant, cause: '', seed: 1, goesOn: true },
}));

describe('what a life of chats finds', () => {
  test.for(rowsOf(lives))('$breaks: $what', async ({ deeds, undo, breaks }, { place }) => {
    const tolerant = { ...place, subject: { ...chat, known: goOn } };
    const { findings } = await liveSeed(tolerant, 1, { script: scriptOf(...deeds) });
    if (undo) await place.world.admin.unsafe(undo);
    expect(findings.map(({ invariant }) => invariant)).toContain(breaks);
  });
});

testKnown('chat', chat, {
  invariant: 'a chat counts its messages',
  broken: scriptOf(
    ...[open, tamper('update chats set first_count = 1')],
    tamper("insert into blocks values ('ben', 'ana', 'Ben', 'Ana')"),
  ),
});
