import { planLength, planMinutes, planPhotoLimit, price } from '@tara/contract/limits';
import {
  freePrice,
  type Plan,
  PlanFormFields,
  pesos,
  readPrice,
  WrittenPrice,
} from '@tara/contract/plans/plans';
import { type ReactNode, useState } from 'react';
import { useController } from 'react-hook-form';
import * as z from 'zod/mini';
import type { FormHandle } from '../../lib/form.tsx';
import { CheckboxField, Form, SelectField, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { PhotosField, storedPhotos } from '../../lib/photos-field.tsx';
import { Checkbox, Field, TextInput } from '../../ui/Field.tsx';
import { money } from '../../ui/facts.tsx';
import { durationText } from './PlanTitle.tsx';

/** The plan's own fields as they are written, its photos with the cover first, and the terms of Tara (§5). */
export const PlanFields = z.extend(PlanFormFields, {
  price: WrittenPrice,
  durationMinutes: z.pipe(
    z.string(),
    z.pipe(
      z.transform((text: string) => Number(text)),
      PlanFormFields.shape.durationMinutes,
    ),
  ),
  photos: z.array(z.string()).check(z.minLength(1, 'Please add a cover photo.')),
  accepted: z.boolean().check(z.refine((ticked) => ticked, 'Please accept the terms and conditions.')),
});
type Written = z.input<typeof PlanFields>;
type Understood = z.output<typeof PlanFields>;

/** What an empty form has. */
export const newPlan: Written = {
  ...{ title: '', desc: '', time: '', place: '', price: '', terms: '', photos: [], accepted: false },
  durationMinutes: String(planMinutes.default),
};

/** What the form of an existing plan has: its creator accepted the terms of Tara before. */
export function writtenPlan({
  title,
  desc,
  time,
  durationMinutes,
  place,
  price,
  terms,
  ...plan
}: Plan): Written {
  return {
    ...{ title, desc, time, place, terms, accepted: true },
    durationMinutes: String(durationMinutes),
    price: price === 0 ? freePrice : writtenPesos(price),
    photos: planPhotoIds(plan),
  };
}

/** Without a currency and without '.00': as people write an amount. */
const writtenPesos = (amount: number) =>
  money(amount)
    .replace(/[^\d.,]/g, '')
    .replace(/\.00$/, '');

/** The ids of a plan's pictures, the cover first. */
export const planPhotoIds = ({ cover, photos }: Pick<Plan, 'cover' | 'photos'>) =>
  [cover, ...photos].flatMap(({ imageId }) => imageId ?? []);

/** The body of the call that publishes or changes a plan. */
export function planBody({ accepted: _, photos, ...fields }: Understood) {
  const [imageId = '', ...imageIds] = storedPhotos(photos);
  return { ...fields, imageId, imageIds };
}

/** The form of a plan, new or changed; `children` are shown below its fields. */
export function PlanForm({
  form,
  inUse,
  notice,
  terms,
  children,
}: {
  form: FormHandle<Written, Understood>;
  /** The plan's current pictures. */
  inUse?: readonly string[];
  notice?: ReactNode;
  /** The terms of Tara, where they have to be accepted. */
  terms?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Form form={form} className="flex flex-col gap-3">
      {notice}
      <PhotosField
        form={form}
        name="photos"
        label="Photos"
        prompt="Add photos"
        hint="The first one is the cover."
        limit={planPhotoLimit + 1}
        required
        hasCover
        inUse={inUse ?? []}
      />
      <TextField form={form} name="title" label="Title" limit={planLength.title} />
      <TextAreaField form={form} name="desc" label="Description" optional limit={planLength.desc} rows={4} />
      <div className="grid gap-x-5 gap-y-3 sm:grid-cols-[3fr_2fr]">
        <TextField
          form={form}
          name="time"
          label="Time"
          optional
          hint="For example 6-9 pm."
          limit={planLength.time}
        />
        <DurationField form={form} />
      </div>
      <TextField
        form={form}
        name="place"
        label="Place"
        optional
        hint="For example Legazpi Village, Makati."
        limit={planLength.place}
      />
      <PriceField form={form} />
      <TextAreaField
        form={form}
        name="terms"
        label="Your terms"
        hint={`What a friend needs to know and follow; at least ${planLength.terms.min} characters.`}
        limit={planLength.terms.max}
        rows={4}
      />
      {terms && (
        <>
          {terms}
          <CheckboxField form={form} name="accepted" label="Accept terms and conditions" required />
        </>
      )}
      {children}
    </Form>
  );
}

const usualMinutes = [30, 45, 60, 90, 120, 150, 180, 240, 300, 360, 480, 600, 720, 1440];

/** How long it takes: a usual duration, or the one that the plan has. */
function DurationField({ form }: { form: FormHandle<Written, Understood> }) {
  const { field } = useController({ control: form.control, name: 'durationMinutes' });
  const options = [...new Set([...usualMinutes, Number(field.value)])].sort((one, other) => one - other);
  return (
    <SelectField
      form={form}
      name="durationMinutes"
      label="Duration"
      hint="How long it takes altogether."
      options={options.map((minutes) => [String(minutes), durationText(minutes)])}
    />
  );
}

/** The written price, with what was understood below; free only when that is chosen (decisions §2). */
function PriceField({ form }: { form: FormHandle<Written, Understood> }) {
  const { field, fieldState } = useController({ control: form.control, name: 'price' });
  const isFree = field.value === freePrice;
  const [before, setBefore] = useState('');
  const amount = isFree ? 0 : readPrice(field.value);
  const hint = isFree
    ? 'Friends pay nothing.'
    : amount
      ? `Friends pay ${money(amount)}.`
      : `At least ${money(pesos(price.minimumCentavos))}.`;
  return (
    <div className="grid gap-x-5 sm:grid-cols-[2fr_1fr]">
      <Field label="Price in pesos" hint={hint} error={fieldState.error?.message} lines={2}>
        <div className="relative">
          <span aria-hidden="true" className="absolute inset-y-0 left-3 flex items-center text-ink-soft">
            ₱
          </span>
          <TextInput
            {...field}
            value={isFree ? '' : field.value}
            readOnly={isFree}
            placeholder={isFree ? 'Free' : '1,000'}
            inputMode="decimal"
            className="figures pl-8"
          />
        </div>
      </Field>
      <Checkbox
        label="This plan is free"
        checked={isFree}
        onChange={(event) => {
          if (event.target.checked) setBefore(field.value);
          field.onChange(event.target.checked ? freePrice : before);
        }}
        className="sm:mt-6.5"
      />
    </div>
  );
}
