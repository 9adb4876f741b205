// A fault for each matrix (`npm run matrix`), which it has to find.
export const matrixFaults = [
  {
    what: 'nobody is hidden from lists',
    in: 'isNotListed',
    from: 'ids.length === 0',
    to: 'true',
    tests: { files: ['server/src/matrix/blocks.test.ts'] },
  },
  {
    what: 'the rules of documents are not asked',
    in: 'requireGrant',
    from: 'if (!granted)',
    to: 'if (!granted && false)',
    tests: { files: ['server/src/matrix/permissions.test.ts'] },
  },
  {
    what: 'a search text without a limit',
    in: 'SearchText',
    from: 'text(searchLength)',
    to: 'z.string()',
    tests: { files: ['server/src/matrix/load.test.ts'] },
  },
  {
    what: 'every member is shown the phone number of a profile',
    in: 'presentProfile',
    from: 'createdAt: row.createdAt.toISOString()',
    to: 'createdAt: row.createdAt.toISOString(), username: row.phoneNumber',
    tests: { files: ['server/src/matrix/exits.test.ts'] },
  },
];
