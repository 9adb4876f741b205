const unreadable = {
  get: () => {
    throw new Error('unreadable');
  },
};

/** A long text that no line of the log, and no row, holds as a whole. */
const long = 'away '.repeat(100_000);

/** An error with errors within errors, ten each. */
function nestedError(depth: number): Error {
  const errors = depth === 0 ? [] : Array.from({ length: 10 }, () => nestedError(depth - 1));
  return new AggregateError(errors, long);
}

/** What code can throw that is no error with a short text. */
export const oddErrors: Readonly<Record<string, unknown>> = {
  'a text': 'away',
  undefined: undefined,
  null: null,
  'a symbol': Symbol('away'),
  'an object without a prototype': Object.create(null),
  'an object whose message cannot be read': Object.defineProperty({}, 'message', unreadable),
  'an error whose message cannot be read': Object.defineProperty(new Error('away'), 'message', unreadable),
  'an error whose cause cannot be read': Object.defineProperty(new Error('away'), 'cause', unreadable),
  'an error whose stack cannot be read': Object.defineProperty(new Error('away'), 'stack', unreadable),
  'an error whose code cannot be read': Object.defineProperty(new Error('away'), 'code', unreadable),
  'an error whose message is no text': Object.assign(new Error('away'), { message: Symbol('away') }),
  'an error whose stack is no text': Object.assign(new Error('away'), { stack: 42 }),
  'an error whose name is no text': Object.assign(new Error('away'), { name: Symbol('away') }),
  'an error without a message': new Error(),
  'an error with a message that cannot be stored': new Error('away \0 \ud800'),
  'an error with a long message': new Error(long),
  'an error with a long code': Object.assign(new Error('away'), { code: long }),
  'an error of many errors': nestedError(4),
};
