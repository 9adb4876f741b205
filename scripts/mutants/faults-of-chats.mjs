// Faults in the code of chats that the simulation has to find within `mostSeeds` lives: each against what `like` names.
const inSimulation = { tests: { files: ['simulation/src/chat.test.ts'] } };

const faults = [
  {
    like: 'a message is stored once',
    what: 'sending again stores again',
    in: 'openSender',
    from: 'const { chatId, clientKey = newId() } = message;',
    to: 'const { chatId } = message; const clientKey = newId();',
  },
  {
    like: 'unsent content is gone for both',
    what: 'the lists keep what was taken back',
    in: 'takeBack',
    from: '} + 1`,',
    to: '} + 0`,',
  },
  {
    like: 'unsent content is gone for both',
    what: 'the chat shows the start of what was taken back',
    in: 'takeBack',
    from: 'preview: sql`case when',
    to: 'preview: sql`case when false and',
  },
  {
    like: 'unsent content is gone for both',
    what: 'who listens does not hear that a message was taken back',
    in: 'unsendMessage',
    from: "announceMessage(platform, changed, message, 'update');",
    to: '',
  },
  {
    like: 'delivery after a crash',
    what: 'a start does not write the lists that a crash left behind',
    in: 'repairEntries',
    from: 'changed.map(({ id }) => id),',
    to: '[],',
  },
  {
    like: 'delivery after a crash',
    what: 'a start does not copy the marks that a crash left behind',
    in: 'repairEntries',
    from: 'await copyMarks(database, since, signal);',
    to: '',
  },
  {
    like: 'read marks and counts',
    what: 'own messages count as read ones of others',
    in: 'raiseMark',
    from: 'coalesce(sequence - case when is_first then first_count else second_count end, 0) as incoming',
    to: 'coalesce(sequence, 0) as incoming',
  },
  {
    like: 'read marks and counts',
    what: 'who hides read marks shows them',
    in: 'markChat',
    from: 'all.every(({ showsRead }) => showsRead) && ',
    to: '',
  },
  {
    like: 'blocked people reach nobody',
    what: 'what is cached of two of whom one blocks the other stays',
    in: 'block',
    from: 'announcePair(bus, viewer, blocked, true);',
    to: '',
  },
  {
    like: 'blocked people reach nobody',
    what: 'a message is taken back after a block',
    in: 'unsendMessage',
    from: "if (locked.blocked) throw new Problem('chat_read_only');",
    to: '',
  },
  {
    like: 'expiry',
    what: 'a paid plan leaves the lists with the expiry',
    in: 'announceLiftedExpiry',
    from: "await writeLine(context, { chatId: chat.id, body: expiryLifted, clientKey: 'expiry-lifted' });",
    to: '',
  },
  {
    like: 'message requests',
    what: 'the list of who accepted still waits for it',
    in: 'answerRequest',
    from: 'await saveEntries(transaction, accepted);',
    to: '',
  },
];

export const chatFaults = faults.map((fault) => ({ ...inSimulation, ...fault }));
