/** What a group of notifications is called and about, and whether a member may switch it off. */
interface Group {
  label: string;
  /** What is in it, in the settings. */
  about: string;
  canSwitchOff: boolean;
  /** Only admins have it, while they are admins. */
  forAdmins?: true;
  /** Why the member gets an email of the group. */
  because: string;
}

/**
 * The kinds of notifications that members filter their list by, in the order of the list. Security, money,
 * safety and alerts stay on.
 */
export const notificationGroups = {
  plans: {
    label: 'Plans',
    about: 'Requests, days and reminders.',
    canSwitchOff: true,
    because: 'You get this email because of a request on Tara that you are part of.',
  },
  money: {
    label: 'Money',
    about: 'Payments, refunds and payouts.',
    canSwitchOff: false,
    because: 'You get this email because of a request on Tara that you are part of.',
  },
  messages: {
    label: 'Messages',
    about: 'New messages, message requests, and chats that end soon.',
    canSwitchOff: true,
    because: 'You get this email because of a chat on Tara that you are part of.',
  },
  posts: {
    label: 'Posts',
    about: 'Likes, comments and reviews.',
    canSwitchOff: true,
    because: 'You get this email because of what others did with your posts and reviews on Tara.',
  },
  account: {
    label: 'Account',
    about: 'Security, verification and safety.',
    canSwitchOff: false,
    because: 'You get this email because it is about your account on Tara.',
  },
  work: {
    label: 'Admin work',
    about: 'What waits for admins.',
    canSwitchOff: true,
    forAdmins: true,
    because: 'You get this email because you are an admin of Tara.',
  },
  alerts: {
    label: 'Admin alerts',
    about: 'What is wrong, and must be looked at.',
    canSwitchOff: false,
    forAdmins: true,
    because: 'You get this email because you are an admin of Tara.',
  },
} as const satisfies Record<string, Group>;

export type NotificationGroup = keyof typeof notificationGroups;

const groups: Record<NotificationGroup, Group> = notificationGroups;

/** All groups, in the order of the list. */
export const notificationGroupNames = Object.keys(notificationGroups) as [NotificationGroup];

/** Those of admins alone. */
export const adminGroupNames = notificationGroupNames.filter((name) => groups[name].forAdmins);

/** Those that a member has, in the order of the list. */
export const groupsFor = ({ isAdmin }: { isAdmin: boolean }): NotificationGroup[] =>
  notificationGroupNames.filter((name) => isAdmin || !groups[name].forAdmins);
