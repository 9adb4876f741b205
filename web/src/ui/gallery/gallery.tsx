import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../../styles.css';
import { Bookmark, EllipsisVertical, Flag, Heart, Pencil, Plus, Share2, Trash2 } from 'lucide-react';
import { Button, IconButton, TextLink } from '../Button.tsx';
import { Checkbox, DateInput, Field, PasswordInput, TextArea, TextInput } from '../Field.tsx';
import { confirm, toast } from '../feedback.ts';
import { Icon, Logo } from '../Icon.tsx';
import { Illustration } from '../Illustration.tsx';
import { Menu } from '../lazy-overlays.tsx';
import { StarInput } from '../marks.tsx';
import { ConfirmDialog, Overlays, ResponsiveDialog } from '../Overlays.tsx';
import { Page } from '../Page.tsx';
import { PhotoPicker, usePreviewUrl } from '../PhotoPicker.tsx';
import { SearchBox } from '../SearchBox.tsx';
import { Segmented, ThemeSwitch } from '../Segmented.tsx';
import { Tabs } from '../Tabs.tsx';
import { drawing, Facts, Pictures, Places, Row, Sample, Section } from './Facts.tsx';

// Every part in every state, for judging by eye. Served by `vite dev` at /gallery.html; never built.
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <main>
        <Page title="Gallery" width="grid" intro="Every part of the kit." actions={<ThemeSwitch />}>
          <Logo size={48} className="mb-8" />
          <div className="grid items-start gap-10 lg:grid-cols-2">
            <Sample />
            <Actions />
            <Forms />
            <Facts />
            <Pictures />
            <Places />
          </div>
          <Illustrations />
        </Page>
      </main>
      <Overlays />
    </StrictMode>,
  );
}

const illustrationNames = ['lanterns', 'sailing', 'cat', 'together', 'moored', 'table'] as const;

function Illustrations() {
  return (
    <Section title="Illustrations">
      <div className="tiles">
        {illustrationNames.map((name) => (
          <div key={name}>
            <Illustration name={name} className="aspect-4/3 rounded-card" />
            <Illustration name={name} className="arch mt-3 size-56" />
          </div>
        ))}
      </div>
      <Illustration name="voyage" className="mt-4 aspect-36/13 rounded-card" />
    </Section>
  );
}

export function Actions() {
  const [list, setList] = useState<'posts' | 'reviews'>('posts');
  const [liked, setLiked] = useState(true);
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const ask = async () => {
    const yes = await confirm({
      title: 'Are you sure?',
      text: 'You will not be able to change it after',
      confirmLabel: 'Delete',
      tone: 'danger',
    });
    toast({ title: yes ? 'Deleted' : 'Kept', tone: yes ? 'success' : 'info' });
  };
  return (
    <Section title="Actions">
      <Row>
        <Button>Sign In</Button>
        <Button variant="secondary" icon={<Icon of={Plus} />}>
          Add Plan
        </Button>
        <Button variant="ghost">Cancel</Button>
        <Button variant="danger" icon={<Icon of={Trash2} />}>
          Delete
        </Button>
      </Row>
      <Row>
        <Button pending pendingLabel="Creating...">
          Create
        </Button>
        <Button disabledReason="Tick the terms and conditions first.">Send Request</Button>
        <Button variant="secondary" disabledReason="Get verified to create plans.">
          Not Verified!
        </Button>
      </Row>
      <Row>
        <Button size="sm">Small</Button>
        <Button size="sm" variant="secondary">
          Small
        </Button>
        <Button size="lg">Large</Button>
      </Row>
      <Row>
        <IconButton
          label="Like"
          pressed={liked}
          onClick={() => setLiked(!liked)}
          className={liked ? 'text-guava!' : ''}
        >
          <Icon of={Heart} filled={liked} />
        </IconButton>
        <IconButton label="Save">
          <Icon of={Bookmark} />
        </IconButton>
        <IconButton label="Edit" variant="filled">
          <Icon of={Pencil} />
        </IconButton>
        <Menu
          label="Post"
          trigger={
            <IconButton label="More">
              <Icon of={EllipsisVertical} />
            </IconButton>
          }
          items={[
            { label: 'Share', icon: Share2, onSelect: () => toast({ title: 'Link copied' }) },
            { label: 'Edit', icon: Pencil, onSelect: () => {}, disabledReason: 'Only its creator can.' },
            null,
            { label: 'Report', icon: Flag, tone: 'danger', onSelect: () => {} },
          ]}
        />
        <TextLink href="/sign-up">Create an account</TextLink>
      </Row>
      <Row>
        <Button
          size="sm"
          variant="secondary"
          onClick={() =>
            toast({ title: 'Request sent!', text: 'Please wait for the person to respond', tone: 'success' })
          }
        >
          Toast
        </Button>
        <Button
          size="sm"
          variant="secondary"
          onClick={() =>
            toast({
              title: 'Something went wrong',
              text: 'please try again later',
              tone: 'danger',
              durationMs: Number.POSITIVE_INFINITY,
              action: { label: 'Try again', onPress: () => {} },
            })
          }
        >
          Failure toast
        </Button>
        <Button size="sm" variant="secondary" onClick={ask}>
          confirm()
        </Button>
        <Button size="sm" variant="secondary" onClick={() => setAsking(true)}>
          Confirm dialog
        </Button>
        <Button size="sm" variant="secondary" onClick={() => setOpen(true)}>
          Dialog
        </Button>
      </Row>
      <Row>
        <Segmented
          label="Show"
          value={list}
          onChange={setList}
          options={[
            { value: 'posts', label: 'Posts' },
            { value: 'reviews', label: 'Reviews' },
          ]}
        />
      </Row>
      <Tabs
        label="Plan Manager"
        initial="pending"
        tabs={[
          { value: 'friend', label: 'Friend Request', count: 2, content: 'Requests from others.' },
          { value: 'yours', label: 'Your Request', content: 'Requests of yours.' },
          { value: 'pending', label: 'Pending Friends', count: 1, content: 'What was accepted.' },
        ]}
      />
      <ResponsiveDialog
        open={open}
        onOpenChange={setOpen}
        title="Share this plan"
        description="Send it to someone you trust, so that they know where you are."
        actions={<Button onClick={() => setOpen(false)}>Done</Button>}
      >
        <p>The plan, the place and the time are in the link.</p>
      </ResponsiveDialog>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Are you sure?"
        text="You will not be able to change it after"
        confirmLabel="Delete"
        tone="danger"
        onConfirm={() => setAsking(false)}
      />
    </Section>
  );
}

export function Forms() {
  const [search, setSearch] = useState('');
  const [stars, setStars] = useState(7);
  const [file, setFile] = useState<File | null>(null);
  const preview = usePreviewUrl(file);
  return (
    <Section title="Forms">
      <SearchBox label="Search Post" value={search} onChange={setSearch} />
      <Field label="Email">
        <TextInput type="email" autoComplete="email" placeholder="you@example.com" />
      </Field>
      <Field label="Password" error="Password must be at least 8 characters.">
        <PasswordInput autoComplete="new-password" defaultValue="secret" />
      </Field>
      <Field
        label="Bio"
        hint="A sentence or two, so that people know you."
        count={{ used: 70, limit: 255 }}
        optional
      >
        <TextArea defaultValue="Beaches, board games and long bus rides. I know the best lugaw of Cebu." />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Gender">
          <TextInput defaultValue="Female" />
        </Field>
        <Field label="Birth date">
          <DateInput defaultValue="2002-01-01" min="1900-01-01" />
        </Field>
      </div>
      <Field label="Username" hint="Cannot be changed here.">
        <TextInput readOnly defaultValue="ana" />
      </Field>
      <div>
        <Checkbox label="Accept terms and conditions" hint="Your money is held until you have met." />
        <Checkbox label="Remember me" defaultChecked error="Please tick this to go on." />
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <PhotoPicker
          prompt="Add a photo"
          rule="JPG or PNG, up to 20 MB"
          previewUrl={preview}
          onPick={([first]) => setFile(first ?? null)}
          onRemove={() => setFile(null)}
        />
        <PhotoPicker
          prompt="Front of ID"
          previewUrl={drawing(0)}
          onPick={() => {}}
          progress={0.62}
          onCancel={() => {}}
        />
        <PhotoPicker
          prompt="Back of ID"
          previewUrl={drawing(1)}
          onPick={() => {}}
          onRemove={() => {}}
          onRetry={() => {}}
        />
      </div>
      <StarInput label="Your rating" value={stars} onChange={setStars} />
    </Section>
  );
}
