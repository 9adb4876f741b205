import { drawInt } from '@tara/contract/random';

const adjectives =
  'amber brave bright calm clear clever cosy early fair fresh gentle glad golden green happy jolly kind light lively lucky mellow merry mild neat noble proud quick quiet rosy silver smart soft sunny sweet swift tidy tiny warm wise young'.split(
    ' ',
  );
const nouns =
  'bamboo banana bridge canoe cliff cloud coconut coral dolphin ferry forest garden guava harbor hill island jasmine kite lagoon lantern lemon mango meadow monsoon moon mountain orchid palm papaya pearl pebble reef river sail shell shore star turtle valley village'.split(
    ' ',
  );

const pick = (words: readonly string[]) => words[drawInt(words.length)] ?? '';
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Two words that a page and a mail show alike, so that a person knows that the mail is the one they asked for. */
export const newPhrase = () => `${capital(pick(adjectives))} ${pick(nouns)}`;
