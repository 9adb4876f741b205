/** What a small coloured thing wants to say. */
export type Tone = 'neutral' | 'guava' | 'lagoon' | 'mango' | 'leaf' | 'ember';

/** Words in the tone's colour on its soft ground. Every pair is in the contrast test. */
export const SOFT: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink-soft',
  guava: 'bg-guava-soft text-guava',
  lagoon: 'bg-lagoon-soft text-lagoon',
  mango: 'bg-mango-soft text-mango-ink',
  leaf: 'bg-leaf-soft text-leaf',
  ember: 'bg-ember-soft text-ember',
};

/** Words in the tone's colour on the page or a card. */
export const TEXT: Record<Tone, string> = {
  neutral: 'text-ink-soft',
  guava: 'text-guava',
  lagoon: 'text-lagoon',
  mango: 'text-mango-ink',
  leaf: 'text-leaf',
  ember: 'text-ember',
};
