import { describe, expect, it } from 'vitest';
import { planCan } from './plans.ts';
import { latestAdultBirthDate } from './profiles.ts';

const creator = { verified: true, bDay: '1995-06-15', totalPlan: 4, limitedPlan: 5 };

describe('who can create a plan (§5)', () => {
  it('a verified member below the limit', () => {
    expect(planCan.create(creator)).toBe(true);
  });
  it('no unverified member, whatever their count', () => {
    expect(planCan.create({ ...creator, verified: null, totalPlan: 0 })).toBe('plan_creator_unverified');
  });
  it('no member who reached the limit', () => {
    expect(planCan.create({ ...creator, totalPlan: 5 })).toBe('plan_limit_reached');
  });
  it('nobody before the 18th birthday, and nobody without a birth date (decisions §2)', () => {
    const birthday = latestAdultBirthDate();
    const dayAfter = new Date(Date.parse(birthday) + 86_400_000).toISOString().slice(0, 10);
    expect(planCan.create({ ...creator, bDay: birthday })).toBe(true);
    expect(planCan.create({ ...creator, bDay: dayAfter })).toBe('plan_under_age');
    expect(planCan.create({ ...creator, bDay: null })).toBe('plan_birth_date_missing');
  });
});
