import { describe, expect, it } from 'vitest';
import { truncate } from './truncate.ts';

describe('text cut for display (§9)', () => {
  it('gets two dots where it is cut', () => {
    expect(truncate('Coffee and a walk in Makati', 14)).toBe('Coffee and a w..');
  });
  it('stays whole up to the limit', () => {
    expect(truncate('Coffee in Cebu', 14)).toBe('Coffee in Cebu');
  });
  it('never cuts an emoji in two', () => {
    expect(truncate('😎😎😎', 2)).toBe('😎😎..');
  });
});
