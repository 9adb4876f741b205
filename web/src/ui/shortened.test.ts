import { describe, expect, it } from 'vitest';
import { shortened } from './shortened.ts';

describe('text cut for display (§9)', () => {
  it('gets two dots where it is cut', () => {
    expect(shortened('Coffee and a walk in Makati', 14)).toBe('Coffee and a w..');
  });
  it('stays whole up to the limit', () => {
    expect(shortened('Coffee in Cebu', 14)).toBe('Coffee in Cebu');
  });
  it('never cuts an emoji in two', () => {
    expect(shortened('😎😎😎', 2)).toBe('😎😎..');
  });
});
