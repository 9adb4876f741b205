import { profiles } from '@tara/contract/profiles';
import { useCall } from '../../lib/queries.ts';
import { Checkbox } from '../../ui/Field.tsx';
import { announce } from '../../ui/feedback.ts';
import { Card } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { setOwnProfile } from './own-profile-cache.ts';

/** Whether people who are not signed in see the viewer's posts behind shared links; stored at once. */
export function SharingCard() {
  const session = useSession();
  const share = useCall(profiles.updateSharing, {
    onSuccess: (profile) => {
      setOwnProfile(session, profile);
      announce(
        profile.sharesPosts
          ? 'Your posts are shown in shared links.'
          : 'Your posts are hidden in shared links.',
      );
    },
  });
  const isShown = share.isPending ? share.variables.body.sharesPosts : session.profile.sharesPosts;
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">Shared links</h2>
      <Checkbox
        label="Show my posts in shared links"
        hint="Whoever has the link of one of your posts sees its picture and the first words, also without an account. Off, they see only that it is a post on Tara."
        checked={isShown}
        onChange={({ target }) => !share.isPending && share.mutate({ body: { sharesPosts: target.checked } })}
      />
    </Card>
  );
}
