import { expect, test } from './server-fixture.ts';

/** Counts what somebody does in a test: an action is a tap or one filled field. The list is in the report. */
export function countActions() {
  const names: string[] = [];
  return {
    act: async (name: string, action: () => Promise<unknown>): Promise<void> => {
      names.push(name);
      await action();
    },
    expectAtMost(most: number): void {
      test.info().annotations.push({ type: 'actions', description: names.join(' · ') });
      expect(names.length, names.join(', ')).toBeLessThanOrEqual(most);
    },
  };
}
