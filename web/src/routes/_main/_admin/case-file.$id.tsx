import { createFileRoute } from '@tanstack/react-router';
import { CaseFileScreen } from '../../../features/case-files/CaseFileScreen.tsx';

export const Route = createFileRoute('/_main/_admin/case-file/$id')({
  component: CaseFileScreen,
});
