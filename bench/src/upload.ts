// `npm run bench upload`: CPU time from a photo of 12 megapixels to the stored post, of the server and its process for
// pictures, compared with `sharp` alone that makes the same files. Postgres is not counted.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { posts } from '@tara/contract/posts/posts';
import { readOptions } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import sharp from 'sharp';
import { startChild } from './measure/child.ts';
import { milliseconds, ratio } from './measure/figures.ts';
import { median } from './measure/latencies.ts';
import { requireFigure } from './measure/requirement.ts';
import { type BenchDatabase, runWorkload } from './setup/database.ts';
import { addMembers, sessionSecret } from './setup/members.ts';
import { startServer } from './setup/server.ts';
import type { BaselineFiles } from './upload/baseline.ts';

readOptions('npm run bench upload', {});

const rounds = 3;
/** Photos of a round: a server counts its CPU time in steps of 10 ms. */
const photos = 2;
/** Maximum ratio of the CPU times. */
const required = 1.5;

const uploads = '/v1/storage/buckets/images/files';

/** Calls the server as its member, with the reply of our own call. */
async function send<Reply>(port: number, path: string, body: FormData | object): Promise<Reply> {
  const isForm = body instanceof FormData;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: {
      'x-appwrite-session': sessionSecret(0),
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as Reply;
}

/** Publishes a photo; returns the id of its file. */
async function publish(port: number, photo: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(photo)], 'photo.jpg', { type: 'image/jpeg' }));
  const { $id: imageId } = await send<{ $id: string }>(port, uploads, form);
  await send(port, posts.create.path, { imageId, caption: 'A walk', location: '', tags: '', alt: '' });
  return imageId;
}

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

/** px; 12 megapixels. */
const photoSize = { width: 4_000, height: 3_000 };

/** Noise of a coarseness: as wide as the photo, `detail` times less fine. */
async function noise(detail: number, sigma: number): Promise<Buffer> {
  const { width, height } = { width: photoSize.width / detail, height: photoSize.height / detail };
  const background = { r: 120, g: 130, b: 140 };
  const drawn = await sharp({
    create: { width, height, channels: 3, background, noise: { type: 'gaussian', mean: 128, sigma } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(drawn).resize(photoSize).png({ compressionLevel: 1 }).toBuffer();
}

/** A JPEG as a phone makes it: large shapes, some detail and a little grain, in 3 to 5 MB. */
async function drawPhoto(): Promise<Buffer> {
  const [shapes, detail, grain] = [await noise(100, 60), await noise(8, 30), await noise(2, 12)];
  return sharp(shapes)
    .composite([
      { input: detail, blend: 'overlay' },
      { input: grain, blend: 'overlay' },
    ])
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** Parent and CPU time in ms of a process; null when it ended meanwhile. */
async function readStat(pid: number): Promise<{ parent: number; cpuMs: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // Behind the name, which may contain blanks: state, parent, …; user and system time are the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs };
}

/**
 * CPU time of a process and its children so far, ms, in steps of 10 ms. Linux alone.
 * @throws Error when there is no such process
 */
async function cpuWithChildren(pid: number): Promise<number> {
  const own = await readStat(pid);
  if (own === null) throw new Error(`The CPU time of process ${pid} cannot be read.`);
  const others = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(others.map((other) => readStat(Number(other))));
  return stats.reduce((sum, stat) => sum + (stat?.parent === pid ? stat.cpuMs : 0), own.cpuMs);
}

async function measure(database: BenchDatabase): Promise<boolean> {
  await addMembers(database, 1);
  const photo = await drawPhoto();
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
