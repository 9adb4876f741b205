// The mutants that are not tried, by their names, each with the reason: nobody could see the difference.
export const leftOut = {};
