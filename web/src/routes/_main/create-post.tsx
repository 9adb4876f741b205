import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod';
import { CreatePostScreen } from '../../features/posts/CreatePostScreen.tsx';

export const Route = createFileRoute('/_main/create-post')({
  // Prefills the caption (§2).
  validateSearch: z.object({ textInputed: z.string().optional() }),
  component: Page,
});

function Page() {
  return <CreatePostScreen textInputed={Route.useSearch().textInputed} />;
}
