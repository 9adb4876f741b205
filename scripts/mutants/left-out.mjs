// The mutants that are not tried, by their names, each with the reason: nobody could see the difference.
const skeleton = 'the title of a loading screen; the same title of the screen itself is tried';

export const leftOut = {
  'messagesPerScreen: → (30) - 1': '29 messages are the same number of pages',
  'ExploreSkeleton: "Search Post" → "Search Postx"': skeleton,
  'SavedSkeleton: "SAVED" → "SAVEDx"': skeleton,
  'UpdatePostSkeleton: "Update Post" → "Update Postx"': skeleton,
  'chatCan.unsend: message.userId === profileId → true':
    'its one caller answers before that another’s message is not found',
  'reportCan.decide: ownRecord → false': 'refused all the same; the server answers with its own words',
};
