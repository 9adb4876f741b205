import type { Finding } from './life.ts';
import type { World } from './world.ts';

/** Invariants that the database looks for, by name: each selects a text of everything that breaks it. */
export type Rules<Invariant extends string> = Readonly<Record<Invariant, string>>;

/** The names of rules. */
export const ruleNames = <Invariant extends string>(rules: Rules<Invariant>) =>
  Object.keys(rules) as Invariant[];

/** One statement that looks for whatever breaks a rule. @param common expressions that the rules share, from `with` on */
export function openRules<Invariant extends string>(rules: Rules<Invariant>, common: string) {
  const selects = ruleNames(rules).map(
    (name) => `select '${name}' as invariant, text from (${rules[name]}) as broken (text)`,
  );
  const statement = `${common} ${selects.join(' union all ')} order by 1, 2`;
  return ({ admin }: Pick<World, 'admin'>): Promise<Finding<Invariant>[]> =>
    admin.unsafe<Finding<Invariant>[]>(statement, [], { prepare: true });
}
