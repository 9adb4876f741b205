import { DARK } from './dusk.ts';

/** Leans over the water at the right. */
export function Palm() {
  const fronds = [
    'M0 0C-60-70-150-84-232-20-150-50-72-34 0 0Z',
    'M0 0C-90-24-176 16-214 104-150 36-74 12 0 0Z',
    'M0 0C-54 18-106 84-104 176-76 96-40 44 0 0Z',
    'M0 0C-30-84-96-140-186-148-106-110-48-62 0 0Z',
    'M0 0C6-90 62-146 140-156 76-106 34-60 0 0Z',
    'M0 0C56-60 140-60 200-4 124-26 62-22 0 0Z',
    'M0 0C60 6 112 66 118 152 86 82 48 34 0 0Z',
  ];
  return (
    <g fill={DARK}>
      <path d="M812 1100C842 860 838 560 776 262l22-6C872 552 884 868 862 1100Z" />
      <g transform="translate(786 258)">
        {fronds.map((d) => (
          <path key={d} d={d} />
        ))}
        <circle cx="-12" cy="16" r="13" />
        <circle cx="14" cy="20" r="12" />
      </g>
    </g>
  );
}
