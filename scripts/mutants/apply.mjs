// A mutant changes one place of the code: `{ row, what, in, from, to }`. `in` is the symbol that holds the place, `from` the text there (the
// whole value of the symbol when it is left out), `to` what stands there instead. A generated one has its place in `at`, one of a text that
// stands in several its `places`, each with its own `to`.
import { placesOf } from './sources.mjs';

/** A text as a regular expression finds it. */
export const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** The text with any white space between its words, as the formatter may break it. */
const pattern = (text) => new RegExp(text.trim().split(/\s+/).map(literally).join('\\s+'), 'g');

const oneLine = (text) => text.trim().replace(/\s+/g, ' ');

/** A stable name: moved code keeps it. `nth` distinguishes places of a symbol with the same text. */
export const nameOf = ({ in: symbol, from, to, nth }) =>
  `${symbol}: ${from === undefined ? '' : `${oneLine(from)} `}→ ${oneLine(to)}${nth ? ` (${nth})` : ''}`;

/**
 * The files with the fault in them, each `{ path, text }`.
 * @throws an error that says why the mutant no longer applies: nothing, or more than one place, has the text.
 */
export function applyMutant(sources, mutant) {
  if (mutant.places) return replaceAll(sources, mutant.places);
  if (mutant.at) return replaceAll(sources, [{ ...mutant.at, to: mutant.to }]);
  const { in: symbol, from, to } = mutant;
  const hits = placesOf(sources, symbol).flatMap(({ path, start, end }) => {
    if (from === undefined) return [{ path, start, end }];
    const body = sources.get(path).slice(start, end);
    return [...body.matchAll(pattern(from))].map((match) => ({
      path,
      start: start + match.index,
      end: start + match.index + match[0].length,
    }));
  });
  const [hit] = hits;
  if (hits.length !== 1)
    throw new Error(
      hits.length === 0
        ? 'no place has it any more'
        : `${hits.length} places have it: name more of the statement`,
    );
  return replaceAll(sources, [{ ...hit, to }]);
}

function replaceAll(sources, places) {
  const paths = [...new Set(places.map(({ path }) => path))];
  return paths.map((path) => {
    // From the end, so that the places before it stay.
    const own = places.filter((place) => place.path === path).sort((one, other) => other.start - one.start);
    const replace = (text, { start, end, to }) => text.slice(0, start) + to + text.slice(end);
    return { path, text: own.reduce(replace, sources.get(path)) };
  });
}
