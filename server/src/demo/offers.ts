import type { Scene } from './scenes.ts';

/** What the members of the demo world publish: posts and plans. */

export interface DemoPost {
  by: string;
  scene: Scene;
  caption: string;
  alt: string;
  location: string;
  tags: string[];
}

export const posts: DemoPost[] = [
  {
    by: 'dan',
    scene: 'city',
    caption: 'The skyline from the ferry, ten minutes after the rain stopped. Nobody on deck said a word.',
    alt: 'City lights over dark water at night',
    location: 'Pasig River, Manila',
    tags: ['manila', 'night'],
  },
  {
    by: 'ana',
    scene: 'island',
    caption: 'First dive of the season and the sea was glass. Who is in for Saturday?',
    alt: 'A small sailing boat on turquoise water',
    location: 'Moalboal, Cebu',
    tags: ['freediving', 'cebu'],
  },
  {
    by: 'lia',
    scene: 'table',
    caption: 'Three flat whites, one very long conversation. New friends are the best souvenir.',
    alt: 'Three cups of coffee on a wooden table',
    location: 'Poblacion, Makati',
    tags: ['coffee', 'newfriends'],
  },
  {
    by: 'miguel',
    scene: 'mountains',
    caption: 'Mayon decided to show her face for exactly twelve minutes. Worth the alarm at 3 am.',
    alt: 'A volcano above green hills at sunrise',
    location: 'Legazpi, Albay',
    tags: ['hiking', 'mayon'],
  },
  {
    by: 'rico',
    scene: 'beach',
    caption: 'No swell, no problem.',
    alt: 'A palm and a boat before a red sunset',
    location: 'San Juan, La Union',
    tags: ['elyu', 'sunset'],
  },
  {
    by: 'nina',
    scene: 'terraces',
    caption: 'Drew these terraces for four hours, and still did not get the green right.',
    alt: 'Green rice terraces below blue hills',
    location: 'Batad, Ifugao',
    tags: ['sketching', 'banaue'],
  },
  {
    by: 'ben',
    scene: 'city',
    caption: 'Two weeks in the city and I can finally find my own street. Small wins.',
    alt: 'Towers with lit windows below the moon',
    location: 'BGC, Taguig',
    tags: ['newintown'],
  },
  {
    by: 'jas',
    scene: 'mountains',
    caption: 'Rest day. My arms are noodles, the view is not.',
    alt: 'A cone of a mountain under a pale sun',
    location: 'Tagaytay',
    tags: ['climbing', 'restday'],
  },
  {
    by: 'paolo',
    scene: 'beach',
    caption: 'Played the last set with sand in my shoes.',
    alt: 'Evening light on a calm bay',
    location: 'El Nido, Palawan',
    tags: ['jazz', 'palawan'],
  },
  {
    by: 'mika',
    scene: 'table',
    caption: 'Game night needs one more player. You do not have to be good, I am not.',
    alt: 'Cups on a table seen from above',
    location: 'Dumaguete',
    tags: ['boardgames'],
  },
  {
    by: 'ana',
    scene: 'beach',
    caption: 'The boat was late, the sunset was not.',
    alt: 'A sailing boat at dusk',
    location: 'Oslob, Cebu',
    tags: ['islandlife'],
  },
  {
    by: 'carlo',
    scene: 'terraces',
    caption: 'Market run took a detour. No regrets.',
    alt: 'Terraced fields in the morning',
    location: 'Sagada',
    tags: ['roadtrip', 'food'],
  },
];

export interface DemoPlan {
  key: string;
  by: string;
  scene: Scene;
  title: string;
  desc: string;
  time: string;
  pesos: number;
  terms: string;
}

const politeTerms =
  'Meet in a public place. Be on time, be kind. If the weather turns we choose another day together.';

export const plans: DemoPlan[] = [
  {
    key: 'dive',
    by: 'ana',
    scene: 'island',
    title: 'First breath-hold dive',
    desc: 'A gentle morning in the water for people who have never tried freediving: breathing on the beach, two hours in the sea, breakfast after. Mask and fins are included.',
    time: '6-10 am',
    pesos: 950,
    terms: `${politeTerms} You must be able to swim 200 m.`,
  },
  {
    key: 'hop',
    by: 'ana',
    scene: 'beach',
    title: 'Island hop with a local',
    desc: 'Three islands, one small boat, lunch on the sand.',
    time: '7am-4pm',
    pesos: 1500,
    terms: politeTerms,
  },
  {
    key: 'hike',
    by: 'miguel',
    scene: 'mountains',
    title: 'Sunrise hike, easy pace',
    desc: 'Two hours up with many stops. I bring coffee and headlamps.',
    time: '3-9 am',
    pesos: 800,
    terms: `${politeTerms} Bring water and a jacket.`,
  },
  {
    key: 'coffee',
    by: 'lia',
    scene: 'table',
    title: 'Coffee crawl, four cafés',
    desc: 'Four small cafés in one walkable loop, with what to order in each. First cup is on me.',
    time: '2-5 pm',
    pesos: 450,
    terms: politeTerms,
  },
  {
    key: 'night',
    by: 'paolo',
    scene: 'city',
    title: 'Night walk and live jazz',
    desc: 'Street food in Binondo, then the late set of my quartet.',
    time: '7-11 pm',
    pesos: 600,
    terms: politeTerms,
  },
  {
    key: 'games',
    by: 'jas',
    scene: 'terraces',
    title: 'Try bouldering with me',
    desc: 'Come as you are. I will belay, you will laugh. Free, because the gym has a guest day.',
    time: '4-6 pm',
    pesos: 0,
    terms: politeTerms,
  },
];
