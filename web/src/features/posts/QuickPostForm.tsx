import { Link } from '@tanstack/react-router';
import { notices } from '@tara/contract/notices';
import { posts, QuickPost as QuickPostSchema } from '@tara/contract/posts/posts';
import { ImagePlus, SendHorizontal } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { type FormHandle, useForm, withReason } from '../../lib/form.tsx';
import { Form, SubmitButton, TextAreaField } from '../../lib/form-fields.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { announce } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { QuickPostTextArea } from './Feed.tsx';
import { addPost, quickPostAreaClass, quickPostDraft } from './PostActions.tsx';

/** The form of the quick post; an empty one is ignored (§5). */
export default function QuickPostForm({ placeholder, wasFocused }: QuickPostTextArea) {
  const form = useForm({
    schema: QuickPostSchema,
    defaultValues: { caption: '' },
    draft: { key: quickPostDraft },
    leaveWarning: null,
    clears: true,
    send: (body) => call(posts.quick, { body }),
    onSuccess: (post) => {
      addPost(post);
      announce('Your post is published.');
    },
    failureNotice: withReason(notices.postFailed),
  });
  const { element } = form;
  useLayoutEffect(() => {
    if (wasFocused.current) element.current?.querySelector('textarea')?.focus();
  }, [element, wasFocused]);
  return <QuickPostFields form={form} placeholder={placeholder} />;
}

interface QuickPostFieldsProps {
  form: FormHandle<z.input<typeof QuickPostSchema>>;
  placeholder: string;
}

/** A component of its own, so that it watches the form before the draft is restored. */
function QuickPostFields({ form, placeholder }: QuickPostFieldsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const caption = useWatch({ control: form.control, name: 'caption' });
  const isEmpty = caption.trim() === '';
  const submit = async () => {
    if (!isEmpty) await form.submit();
  };
  return (
    <Form form={{ ...form, submit }} className="flex min-w-0 flex-1 flex-col gap-1">
      <TextAreaField
        form={form}
        name="caption"
        label="Quick post"
        hideLabel
        {...(isOpen || caption !== '' ? {} : { lines: 0 })}
        rows={1}
        maxRows={8}
        placeholder={placeholder}
        className={quickPostAreaClass}
        onFocus={() => setIsOpen(true)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void submit();
        }}
      />
      {(isOpen || caption !== '') && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Link
            to="/create-post"
            search={caption === '' ? {} : { textInputed: caption }}
            className={buttonClass({ variant: 'ghost' })}
          >
            <Icon of={ImagePlus} />
            Add a photo
          </Link>
          <SubmitButton form={form} icon={<Icon of={SendHorizontal} />}>
            Post
          </SubmitButton>
        </div>
      )}
    </Form>
  );
}
