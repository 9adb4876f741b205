// The mutants that are not tried, by their names, each with the reason: nobody could see the difference.

export const leftOut = {
  'messagesPerScreen: → (30) - 1': '29 messages are the same number of pages',
  'chatCan.unsend: message.userId === profileId → true':
    'its one caller answers before that another’s message is not found',
  'reportCan.decide: ownRecord → false': 'refused all the same; the server answers with its own words',
};
