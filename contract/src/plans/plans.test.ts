import { describe, expect, it } from 'vitest';
import { nowDate } from '../clock.ts';
import { latestAdultBirthDate } from '../members/profiles.ts';
import { planCan } from './plans.ts';

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

describe('who can request a plan (§6)', () => {
  const client = { id: 'client', verified: true, bDay: '1995-06-15' };
  const plan = { creator: { id: 'creator', verified: true }, closedAt: null };
  it('a verified adult, of a plan that takes requests', () => {
    expect(planCan.request(client, plan)).toBe(true);
  });
  it('the creator of a plan cannot request it, whatever else keeps them from it', () => {
    expect(planCan.request({ ...client, id: 'creator', verified: null }, plan)).toBe('interaction_own_plan');
  });
  it('nobody who is not verified, and nobody below 18 (decisions §2)', () => {
    expect(planCan.request({ ...client, verified: null, bDay: null }, plan)).toBe('plan_creator_unverified');
    expect(planCan.request({ ...client, bDay: null }, plan)).toBe('plan_birth_date_missing');
    const today = nowDate().toISOString().slice(0, 10);
    expect(planCan.request({ ...client, bDay: today }, plan)).toBe('plan_under_age');
  });
  it('nobody while it is closed, or its creator is not verified', () => {
    const closedAt = nowDate();
    expect(planCan.request(client, { ...plan, closedAt })).toBe('plan_closed');
    expect(planCan.request(client, { ...plan, creator: { id: 'creator', verified: null } })).toBe(
      'plan_paused',
    );
  });
});
