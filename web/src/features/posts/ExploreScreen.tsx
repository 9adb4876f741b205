import { Link } from '@tanstack/react-router';
import { Bookmark, Compass } from 'lucide-react';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function ExploreScreen() {
  return (
    <Page title="Search Post" width="grid">
      <EmptyState
        icon={Compass}
        title="No current post"
        text="Find posts by what they say."
        action={
          <Link to="/" className={buttonClass({ variant: 'secondary' })}>
            See the newest posts
          </Link>
        }
      />
    </Page>
  );
}

export function SavedScreen() {
  return (
    <Page title="SAVED" width="grid">
      <EmptyState
        icon={Bookmark}
        title="Nothing is saved yet"
        text="Posts that you save appear here."
        action={
          <Link to="/" className={buttonClass({ variant: 'secondary' })}>
            See the newest posts
          </Link>
        }
      />
    </Page>
  );
}
