// The mutants that are not tried, by their names, each with the reason: nobody could see the difference.

export const leftOut = {
  '§3-plan-earned: new → newx':
    'it changes the same word for people without stars; that of earnings is a fault of its own',
  'chatCan.unsend: message.userId === profileId → true':
    'its one caller answers before that another’s message is not found',
  'notificationCan.deliver: stage !== null → true':
    'no event is told in a stage that is none: it is not delivered all the same',
};
