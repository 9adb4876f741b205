import { Dusk, Gulls, Vinta, Volcano } from '../../ui/illustrations/parts.tsx';

/** For a few seconds a vinta sails in over the cover of a request that was just paid. */
export default function PaidAnimation({ onEnd }: { onEnd: () => void }) {
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 animate-moment"
      onAnimationEnd={({ animationName }) => animationName === 'moment' && onEnd()}
    >
      <Dusk
        frame={[480, 300]}
        horizon={190}
        sun={[300, 164, 60]}
        far={<Volcano x={410} y={192} size={0.6} />}
        className="size-full"
      >
        <Gulls x={110} y={84} size={0.6} />
        <g className="animate-sail-in">
          <Vinta x={232} y={232} size={0.82} />
        </g>
      </Dusk>
    </div>
  );
}
