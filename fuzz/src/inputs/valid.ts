import type { Random } from '@tara/proof/random';
import { fieldsOf, readChoices, readShape, type Shape } from '../values/schema.ts';
import { Fields, type Value } from '../values/value.ts';
import type { ActorName, Hint } from './input.ts';

interface ValueContext {
  call: string;
  field: string;
  actor: ActorName;
  hint: Hint;
  random: Random;
}

const sentences = ['kape', 'A walk along the shore', 'Sabay tayo', '3 islands, 1 boat', 'Día de playa 東京'];

function validText(shape: Shape, random: Random): string {
  if (shape.enum) return random.pick(shape.enum);
  if (shape.format === 'email') return `${random.word(10)}@fuzz.test`;
  if (shape.format === 'uri') return 'http://localhost/confirming';
  if (shape.format === 'date') return '1995-05-05';
  // Days of plans are in the future.
  if (shape.format === 'date-time') {
    const dayMs = 86_400_000;
    // At noon: the same seed repeats it.
    const today = Math.floor(Date.now() / dayMs) + 0.5;
    return new Date((today + random.int(1, 300)) * dayMs).toISOString();
  }
  const { minLength = 0, maxLength = 60 } = shape;
  if (shape.pattern !== undefined) return random.word(Math.max(minLength, Math.min(maxLength, 12)));
  const text = random.pick(sentences).slice(0, maxLength);
  return text.length < minLength ? text.padEnd(minLength, ' and more') : text;
}

/** A value that the shape allows; where the world knows a better one, that one. */
export function validValue(shape: Shape, context: ValueContext): Value {
  const { random, hint, call, field, actor } = context;
  // A few without what the world knows: ids that nothing has.
  const known = random.chance(0.95) ? hint(call, field, actor, random) : undefined;
  if (known !== undefined) return known;
  const choices = readChoices(shape);
  if (choices.length > 0) return validValue(random.pick(choices), context);
  if (typeof shape.const === 'string' || typeof shape.const === 'boolean' || typeof shape.const === 'number')
    return shape.const;
  if (shape.type === 'object') return validFields(shape, context);
  if (shape.type === 'array') {
    const count = random.int(shape.minItems ?? 0, Math.min(shape.maxItems ?? 3, 3));
    const items = readShape(shape.items);
    return Array.from({ length: count }, () => validValue(items, context));
  }
  if (shape.type === 'integer' || shape.type === 'number') {
    const { minimum = 0, maximum = 1_000 } = shape;
    return random.int(Math.max(minimum, -1_000), Math.min(maximum, Math.max(minimum, 0) + 50));
  }
  if (shape.type === 'boolean') return random.chance(0.5);
  if (shape.type === 'null') return null;
  if (shape.type === 'string') return validText(shape, random);
  return random.pick<Value>([null, 1, 'x', ['x'], new Fields([['id', 'x']])]);
}

/** An object that the shape allows, each optional field half of the time. */
export function validFields(shape: Shape, context: Omit<ValueContext, 'field'>): Fields {
  const required = new Set(shape.required);
  return new Fields(
    fieldsOf(shape).flatMap(([name, inner]) =>
      required.has(name) || context.random.chance(0.5)
        ? [[name, validValue(inner, { ...context, field: name })] as const]
        : [],
    ),
  );
}
