/** What is filled in of a request: somebody who is not verified yet sends it days later. */
export const requestDraft = (account: string, planId: string) => ({ key: `request:${planId}`, account });
