import { Link, useNavigate } from '@tanstack/react-router';
import { buttonClass } from '../../ui/Button.tsx';
import { Page } from '../../ui/Page.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useSession } from '../accounts/index.ts';
import { AboutForm } from './AboutForm.tsx';
import { PictureForm } from './PictureForm.tsx';
import { SharingCard } from './SharingCard.tsx';

/** `/update-profile` (§2): the profile picture, or the About Section. */
export function UpdateProfileScreen({ tab = 'picture' }: { tab?: string | undefined }) {
  const { profile } = useSession();
  const navigate = useNavigate();
  return (
    <Page
      title="Edit Profile"
      width="form"
      actions={
        <Link to="/profile/$id" params={{ id: profile.id }} className={buttonClass({ variant: 'ghost' })}>
          View profile
        </Link>
      }
    >
      <Tabs
        label="What to edit"
        value={tab === 'info' ? 'info' : 'picture'}
        onChange={(next) =>
          void navigate({
            to: '/update-profile',
            search: next === 'info' ? { tab: next } : {},
            replace: true,
            resetScroll: false,
          })
        }
        tabs={[
          { value: 'picture', label: 'Update profile picture', content: <PictureForm /> },
          {
            value: 'info',
            label: 'Edit profile info',
            content: (
              <div className="flex flex-col gap-5">
                <AboutForm />
                <SharingCard />
              </div>
            ),
          },
        ]}
      />
    </Page>
  );
}
