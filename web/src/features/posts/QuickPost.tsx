import { urlAtWidth } from '@tara/contract/files';
import { Suspense, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { readDraft, writeDraftValues } from '../../lib/draft-storage.ts';
import { Field, TextArea } from '../../ui/Field.tsx';
import { lazyPart, whenIdle } from '../../ui/lazy-component.tsx';
import { Card } from '../../ui/Page.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { useSession } from '../accounts/index.ts';
import { cardClass } from './PostCard.tsx';
import { quickPostDraft } from './post-cache.ts';

// The home screen must not wait for the code that checks forms.
const QuickPostForm = lazyPart(() => import('./QuickPostForm.tsx'));

/** A short post published with the profile picture (§5). Its form is loaded when it is used, or in an idle moment. */
export function QuickPost() {
  const { profile } = useSession();
  const [isWanted, setIsWanted] = useState(() => readDraft(quickPostDraft) !== null);
  const wasFocused = useRef(false);
  // As a transition, the text area stays until the form is there.
  const loadForm = () => startTransition(() => setIsWanted(true));
  const placeholder = `What’s on your mind, ${profile.name.split(' ')[0]}?`;
  return (
    <Card as="section" aria-label="Quick post" className={cardClass}>
      <div className="flex gap-3">
        <Avatar
          name={profile.name}
          src={urlAtWidth(profile.picture.imageUrl, 96)}
          className="max-sm:hidden"
        />
        <Suspense fallback={<div className="h-12 flex-1" />}>
          {isWanted ? (
            <QuickPostForm placeholder={placeholder} wasFocused={wasFocused} />
          ) : (
            <FirstTextArea placeholder={placeholder} wasFocused={wasFocused} onWanted={loadForm} />
          )}
        </Suspense>
      </div>
    </Card>
  );
}

export interface QuickPostTextArea {
  placeholder: string;
  /** Whether the text area had the focus when the form took its place. */
  wasFocused: { current: boolean };
}

/** The text area before the form: what is written in it is stored as the draft that the form begins with. */
function FirstTextArea({ placeholder, wasFocused, onWanted }: QuickPostTextArea & { onWanted: () => void }) {
  const area = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    return () => {
      wasFocused.current = element?.contains(document.activeElement) ?? false;
    };
  }, [wasFocused]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => whenIdle(onWanted), []);
  return (
    <div ref={area} className="min-w-0 flex-1">
      <Field label="Quick post" hideLabel lines={0}>
        <TextArea
          rows={1}
          maxRows={8}
          placeholder={placeholder}
          onFocus={onWanted}
          onInput={({ currentTarget }) => writeDraftValues(quickPostDraft, { caption: currentTarget.value })}
        />
      </Field>
    </div>
  );
}
