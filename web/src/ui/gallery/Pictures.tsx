import { useState } from 'react';
import { rgbaToThumbHash } from 'thumbhash';
import { Avatar } from '../Avatar.tsx';
import { Button } from '../Button.tsx';
import { ImageViewer } from '../ImageViewer.tsx';
import { Picture } from '../Picture.tsx';
import { drawing } from './drawing.ts';
import { Row, Section } from './Section.tsx';

const pixels = Array.from({ length: 16 * 12 }, (_, at) =>
  at < 96 ? [247, 178, 103, 255] : [45, 106, 142, 255],
).flat();
const hash = btoa(String.fromCharCode(...rgbaToThumbHash(16, 12, pixels)));

export function Pictures() {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Pictures">
      <Row>
        <Avatar name="Ana Reyes" size="2xl" src={drawing(2, 200, 200)} />
        <Avatar name="Ben" size="xl" />
        <Avatar name="Carla" size="lg" online />
        <Avatar name="" size="md" />
        <Avatar name="Dina" size="sm" />
        <Avatar name="Eli" size="xs" />
        <Avatar name="Broken" src="/nothing.jpg" />
      </Row>
      <div className="grid grid-cols-2 gap-4">
        <Picture
          width={900}
          height={675}
          alt="Hills above a bay"
          source={() => drawing(0)}
          thumbhash={hash}
          className="rounded-card"
        />
        <Picture
          width={900}
          height={675}
          alt="A picture that fails"
          source={() => '/nothing.jpg'}
          className="rounded-card"
        />
        <Picture
          width={900}
          height={675}
          alt="A picture that never comes"
          source={() => 'data:,'}
          thumbhash={hash}
          ratio="1 / 1"
          className="rounded-card"
        />
        <Button variant="secondary" onClick={() => setOpen(true)}>
          View it whole
        </Button>
      </div>
      <ImageViewer open={open} onClose={() => setOpen(false)} src={drawing(3)} alt="Hills above a bay" />
    </Section>
  );
}
