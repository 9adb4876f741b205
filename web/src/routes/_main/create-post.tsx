import { createFileRoute } from '@tanstack/react-router';
import { CreatePostScreen } from '../../features/posts/CreatePostScreen.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/create-post')({
  // Prefills the caption (§2).
  validateSearch: textParams('textInputed'),
  component: Page,
});

function Page() {
  return <CreatePostScreen textInputed={Route.useSearch().textInputed} />;
}
