/** The members of the demo world. Invented people; any likeness is chance. */

export interface DemoMember {
  key: string;
  name: string;
  username: string;
  bio: string;
  hobby: string;
  education: string;
  lookingFor: string;
  gender: string;
  birthDate: string;
  /** Identity accepted by the admin, waiting for it, or never asked. */
  identity: 'verified' | 'waiting' | 'none';
}

const member = (
  key: string,
  name: string,
  [bio, hobby, education, lookingFor, gender, birthDate]: [string, string, string, string, string, string],
  identity: DemoMember['identity'],
): DemoMember => ({
  key,
  name,
  username: key,
  bio,
  hobby,
  education,
  lookingFor,
  gender,
  birthDate,
  identity,
});

/** The first is the admin. */
export const members: DemoMember[] = [
  member(
    'tala',
    'Tala Reyes',
    ['I look after Tara. Say hi!', 'Board games', 'UP Diliman', 'A calm community', 'Female', '1992-03-11'],
    'verified',
  ),
  member(
    'ana',
    'Ana Villanueva',
    [
      'Freediver, early riser, terrible at karaoke but that never stops me. Cebu is home.',
      'Freediving',
      'USC Marine Biology',
      'Dive buddies and slow mornings',
      'Female',
      '1998-07-19',
    ],
    'verified',
  ),
  member(
    'ben',
    'Ben Santos',
    [
      'New in Manila. Looking for people who know where the good coffee is.',
      'Photography',
      'DLSU',
      'A walking crew',
      'Male',
      '1999-11-02',
    ],
    'verified',
  ),
  member(
    'miguel',
    'Miguel Cruz',
    [
      'Guide on Mount Pulag and anywhere with a view.',
      'Trail running',
      'Baguio',
      'Hikers, beginners too',
      'Male',
      '1995-01-24',
    ],
    'verified',
  ),
  member(
    'lia',
    'Lia Tan',
    [
      'Third-wave coffee, second-hand books, first-rate gossip.',
      'Latte art',
      'Ateneo',
      'Book club friends',
      'Female',
      '2000-09-08',
    ],
    'verified',
  ),
  member(
    'paolo',
    'Paolo Garcia',
    [
      'Night walks, street food, jazz on Thursdays.',
      'Saxophone',
      'UST Conservatory',
      'People to jam with',
      'Male',
      '1996-05-30',
    ],
    'verified',
  ),
  member(
    'jas',
    'Jas Lim',
    [
      'Climbing gym by day, ramen by night.',
      'Bouldering',
      'Mapúa',
      'A belay partner',
      'Non-binary',
      '2001-12-15',
    ],
    'verified',
  ),
  member(
    'carlo',
    'Carlo Mendoza',
    [
      'Dad of two cats. I cook too much adobo, come help.',
      'Cooking',
      'Culinary school',
      'Hungry friends',
      'Male',
      '1990-08-03',
    ],
    'waiting',
  ),
  member(
    'nina',
    'Nina Flores',
    [
      'Sketching every barangay, one market at a time.',
      'Urban sketching',
      'UP Fine Arts',
      'Sketch walks',
      'Female',
      '1997-04-27',
    ],
    'waiting',
  ),
  member(
    'rico',
    'Rico Bautista',
    [
      'Surf when there is swell, skate when there is not.',
      'Surfing',
      'La Union',
      'Weekend waves',
      'Male',
      '2002-02-14',
    ],
    'none',
  ),
  member(
    'mika',
    'Mika Aquino',
    ['Board games, bad puns, good tea.', 'Board games', 'Silliman', 'A game night', 'Female', '2003-06-21'],
    'none',
  ),
  member(
    'dan',
    'Dan Ocampo',
    [
      'Commuter, plant uncle, amateur astronomer.',
      'Stargazing',
      'FEU',
      'Dark skies and good company',
      'Male',
      '1994-10-09',
    ],
    'none',
  ),
];
