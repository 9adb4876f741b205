import { Printer } from 'lucide-react';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

/** Prints the page, on which it is not itself. */
export const PrintButton = () => (
  <Button
    variant="secondary"
    icon={<Icon of={Printer} />}
    className="print:hidden"
    onClick={() => window.print()}
  >
    Print or save as PDF
  </Button>
);
