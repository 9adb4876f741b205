import { type LucideIcon, Monitor, Smartphone, Tablet } from 'lucide-react';

/** 'Chrome on Windows', as much of it as is known. */
export function deviceLabel({ clientName, osName }: { clientName: string; osName: string }): string {
  return [clientName, osName].filter(Boolean).join(' on ') || 'Unknown device';
}

const icons: Record<string, LucideIcon> = { smartphone: Smartphone, tablet: Tablet };

export const deviceIcon = ({ deviceName }: { deviceName: string }) => icons[deviceName] ?? Monitor;

/** How this device is called in sentences. */
export const thisDevice = () => (matchMedia('(pointer: coarse)').matches ? 'this phone' : 'this device');
