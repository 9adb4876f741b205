import type { Schema } from '@tara/contract/calls';
import { toJSONSchema, z } from 'zod';

/** The parts of a JSON schema that the fuzzer uses. */
const Shape = z.looseObject({
  type: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  enum: z.array(z.string()).optional(),
  const: z.unknown().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
export type Shape = z.infer<typeof Shape>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Several types at once are a choice between shapes of one type. */
export function readShape(shape: unknown): Shape {
  if (isRecord(shape) && Array.isArray(shape.type))
    return Shape.parse({ anyOf: shape.type.map((type) => ({ ...shape, type })) });
  return Shape.parse(shape ?? {});
}

/** The shapes of an object's fields, by name. */
export const fieldsOf = (shape: Shape): [string, Shape][] =>
  Object.entries(shape.properties ?? {}).map(([name, inner]) => [name, readShape(inner)]);

export const readChoices = (shape: Shape): Shape[] => (shape.anyOf ?? shape.oneOf ?? []).map(readShape);

const cache = new Map<Schema, { input: Shape; output: Shape }>();

/** The input and output of a zod schema as JSON schemas. */
export function readShapes(schema: Schema): { input: Shape; output: Shape } {
  const known = cache.get(schema);
  if (known) return known;
  const shape = (io: 'input' | 'output') => readShape(toJSONSchema(schema, { io, unrepresentable: 'any' }));
  const shapes = { input: shape('input'), output: shape('output') };
  cache.set(schema, shapes);
  return shapes;
}

/** Whether a schema accepts any value. */
export const takesSomething = (schema: Schema) => schema._zod.def.type !== 'undefined';

/** Paths of the fields of a reply that are not in its schema. */
export function unknownFields(shape: Shape, value: unknown, path = ''): string[] {
  const choices = readChoices(shape);
  if (choices.length > 0) {
    const fields = choices.map((choice) => unknownFields(choice, value, path));
    return fields.reduce((least, one) => (one.length < least.length ? one : least));
  }
  if (Array.isArray(value)) {
    const items = readShape(shape.items);
    return value.flatMap((inner, index) => unknownFields(items, inner, `${path}[${index}]`));
  }
  if (!isRecord(value)) return shape.type === 'object' && value !== null ? [path] : [];
  if (shape.type === undefined) return [];
  const known = shape.properties ?? {};
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = path === '' ? key : `${path}.${key}`;
    if (Object.hasOwn(known, key)) return unknownFields(readShape(known[key]), inner, here);
    return isRecord(shape.additionalProperties) ? [] : [here];
  });
}
