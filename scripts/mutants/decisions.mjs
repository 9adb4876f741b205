// The sources of the server that decide: what members and clients may do, what is written and in which steps, which rows a list has,
// and when a job is tried again. A sample is drawn of their operators and conditions.

/** What only wires, presents, names or describes. */
const undecided = /\/(?:index|tables|routes|present|\w+-replies|initials|demo|\w*texts?|opentype[.]d)[.]ts$/;
/** What decides in the platform; the rest are drivers, caches and the start of the process. */
const platform = new RegExp(
  `^server/src/platform/(?:${[
    'http/(?:client-address|cookies|errors|leaving|origin|overload|public-pages|range|rate-limits|security-headers|serve|validation|viewer)',
    'images/(?:header-pixels|kind|queue|size)',
    'jobs/(?:failing|items|queue|start|task)',
    'mail/queue',
    'nodes/admission',
    'realtime/(?:connection|hub|shares)',
    'cursor|disk|fair-queue|problem|push|push-services|tasks|work',
  ].join('|')})[.]ts$`,
);

/** @param path of a source below the root of the repository */
export const isDecision = (path) =>
  /^server\/src\/(?:backend|features)\//.test(path)
    ? path.endsWith('.ts') && !path.endsWith('.test.ts') && !undecided.test(path)
    : platform.test(path);
