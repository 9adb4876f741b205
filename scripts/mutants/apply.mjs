// A mutant changes one place of the code: `{ row, what, in, from, to }`. `in` is the symbol that holds the place, `from` the text there (the
// whole value of the symbol when it is left out), `to` what stands there instead.
import { placesOf } from './sources.mjs';

/** A text as a regular expression finds it. */
export const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** The text with any white space between its words, as the formatter may break it. */
const pattern = (text) => new RegExp(text.trim().split(/\s+/).map(literally).join('\\s+'), 'g');

/** A stable name: moved code keeps it. */
export const nameOf = ({ in: symbol, from, to }) =>
  `${symbol}: ${from === undefined ? '' : `${from} `}→ ${to}`;

/**
 * The file with the fault in it, `{ path, text }`.
 * @throws an error that says why the mutant no longer applies: nothing, or more than one place, has the text.
 */
export function applyMutant(sources, mutant) {
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
  const text = sources.get(hit.path);
  return { path: hit.path, text: text.slice(0, hit.start) + to + text.slice(hit.end) };
}
