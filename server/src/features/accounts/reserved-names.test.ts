import { expect, it } from 'vitest';
import { refuseReserved } from './reserved-names.ts';

const refused = { fields: { name: expect.stringContaining('reserved') } };

it.each([
  'admin',
  'ADMIN',
  'Admin ',
  'a d m i n',
  'Administrator',
  'moderator',
  'Support',
  'tara',
  'T a r a',
  'ａｄｍｉｎ',
  'Ｔａｒａ',
  '𝐚𝐝𝐦𝐢𝐧',
  '𝒯𝒶𝓇𝒶',
  'ᵃᵈᵐⁱⁿ',
  'ᴀᴅᴍɪɴ',
  'ѕuppоrt',
  'аdmin',
  'tаrа',
  'ΤΑRΑ',
  'ᎪᎠᎷᎥN',
  'admın',
  'admİn',
  'ádmin',
  'tarå',
  'ađmin',
  'adm1n',
  'ADM1N',
  'admln',
  'supp0rt',
  'adrnin',
  'admin\u3164',
  '\uffa0tara',
  'ta\u200bra',
  'ta\u00adra',
  'a\u0301dmin',
  'admi\u202en',
  'ad\u00a0min',
])('a member cannot pass for Tara or an admin as %j', (name) => {
  expect(() => refuseReserved({ name })).toThrow(expect.objectContaining(refused));
});

it.each([
  'Tara Reyes',
  'Tamara',
  'Adminah',
  'Sara',
  'Martin',
  'Ana Cruz',
  'Supporter',
  'Tar',
  '',
  'User025',
  '王小明',
  'Татьяна',
])('%j is a name like any other', (name) => {
  expect(() => refuseReserved({ name, username: name })).not.toThrow();
});

it('names each field that is reserved', () => {
  expect(() => refuseReserved({ name: 'Ana', username: 'tara' })).toThrow(/^username: This name is reserved/);
});
