// `npm run bench upload`: CPU time from a photo of 12 megapixels to the stored post, of the server and its process for
// pictures, compared with `sharp` alone that makes the same files. Postgres is not counted.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readOptions } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import sharp from 'sharp';
import { startChild } from './measure/child.ts';
import { cpuWithChildren } from './measure/cpu.ts';
import { milliseconds, ratio } from './measure/figures.ts';
import { median } from './measure/latencies.ts';
import { requireFigure } from './measure/requirement.ts';
import { type BenchDatabase, runWorkload } from './setup/database.ts';
import { addMembers, sessionSecret } from './setup/members.ts';
import { drawPhoto, publish, uploads } from './setup/photos.ts';
import { startServer } from './setup/server.ts';
import type { BaselineFiles } from './upload/baseline.ts';

readOptions('npm run bench upload', {});

const rounds = 3;
/** Photos of a round: a server counts its CPU time in steps of 10 ms. */
const photos = 2;
/** Maximum ratio of the CPU times. */
const required = 1.5;

/** The quality with which `sharp` makes the stored file of the photo, byte by byte. @throws Error when there is none */
async function measureQuality(photo: Buffer, stored: Buffer): Promise<number> {
  for (let [from, to] = [1, 100]; from <= to; ) {
    const quality = Math.floor((from + to) / 2);
    const candidate = await sharp(photo).autoOrient().jpeg({ quality }).toBuffer();
    if (candidate.equals(stored)) return quality;
    // A better quality is a larger file.
    if (candidate.length < stored.length) from = quality + 1;
    else to = quality - 1;
  }
  throw new Error('No quality makes the file that is stored: the two would not do the same.');
}

async function measure(database: BenchDatabase): Promise<boolean> {
  await addMembers(database, 1);
  const photo = await drawPhoto({ width: 4_000, height: 3_000 });
  const photoPath = join(database.dataDir, 'photo.jpg');
  await writeFile(photoPath, photo);
  const server = await startServer(database, { rateLimits: false });
  const baseline = startChild<BaselineFiles, { cpuMs: number }>(
    new URL('./upload/baseline.ts', import.meta.url),
  );
  try {
    // Also warms the server up, and starts its process for pictures.
    const view = `${uploads}/${await publish(server.port, photo)}/view`;
    const viewed = await fetch(`http://127.0.0.1:${server.port}${view}`, {
      headers: { 'x-appwrite-session': sessionSecret(0) },
    });
    const stored = Buffer.from(await viewed.arrayBuffer());
    const quality = await measureQuality(photo, stored);
    const megabytes = (bytes: Buffer) => `${(bytes.length / 1024 / 1024).toFixed(1)} MB`;
    console.log(`a photo of ${megabytes(photo)}, stored in ${megabytes(stored)} with quality ${quality}`);
    await baseline.ask({ photoPath, quality, count: 1 });
    const results: { baseline: number; tara: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const { cpuMs } = await baseline.ask({ photoPath, quality, count: photos });
      const before = await cpuWithChildren(server.pid);
      for (let sent = 0; sent < photos; sent++) await publish(server.port, photo);
      const after = await cpuWithChildren(server.pid);
      results.push({ baseline: cpuMs / photos, tara: (after - before) / photos });
    }
    printTable(
      ['upload, 12 megapixels', 'sharp', 'Tara', 'times'],
      results.map(({ baseline, tara }, round) => [
        `round ${round + 1}`,
        milliseconds(baseline),
        milliseconds(tara),
        ratio(tara / baseline),
      ]),
    );
    const medians = {
      baseline: median(results.map((result) => result.baseline)),
      tara: median(results.map((result) => result.tara)),
    };
    const times = medians.tara / medians.baseline;
    return requireFigure(
      `CPU time of a photo, ${milliseconds(medians.tara)} against ${milliseconds(medians.baseline)}`,
      times,
      { atMost: required },
    );
  } finally {
    await Promise.all([baseline.stop(), server.stop()]);
  }
}

await runWorkload(measure);
