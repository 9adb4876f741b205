import { RotateCw, Trash2 } from 'lucide-react';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

interface RetryOrDiscardProps {
  onRetry: () => void;
  onDiscard: () => void;
}

/** The buttons of what was written and not sent. */
export const RetryOrDiscard = ({ onRetry, onDiscard }: RetryOrDiscardProps) => (
  <>
    <Button size="sm" variant="secondary" icon={<Icon of={RotateCw} size={16} />} onClick={onRetry}>
      Try again
    </Button>
    <Button size="sm" variant="ghost" icon={<Icon of={Trash2} size={16} />} onClick={onDiscard}>
      Discard
    </Button>
  </>
);
