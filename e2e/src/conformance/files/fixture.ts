import { inDatabase } from '../../outside.ts';
import { photo } from '../../photos.ts';
import type { BaseFixture } from '../fixture.ts';
import { callSdk, hasParameter, openFile, type SdkUser } from '../sdks.ts';

/** What cases of files begin from. */
export interface FileFixture {
  /** A picture as the SDK takes it. */
  picture(name?: string): Promise<unknown>;
  /** A picture with bytes behind it, as large as is said. */
  largePicture(sizeBytes: number): Promise<unknown>;
  /** Any bytes as a file. */
  file(bytes: Buffer, name: string): unknown;
  /** Arguments of a change: the oldest SDKs change permissions alone. */
  change(name: string, permissions?: string[]): unknown[];
  /** Uploads a picture; its id. */
  upload(user: SdkUser): Promise<string>;
  /** Uses an uploaded picture in a post. */
  postPicture(user: SdkUser, imageId: string): Promise<void>;
  /** Lets a member have as many uploads without a use as one may have. */
  noteUploads(accountId: string): Promise<void>;
}

export function fileFixture({ sdk, tara }: BaseFixture): FileFixture {
  const types: Record<string, string> = { jpg: 'image/jpeg', txt: 'text/plain' };
  const fixture: FileFixture = {
    file: (bytes, name) => openFile(sdk, bytes, name, types[name.split('.').at(-1) ?? ''] ?? ''),
    picture: async (name = 'photo.jpg') => fixture.file(await photo(1), name),
    largePicture: async (sizeBytes) => {
      const picture = await photo(1);
      return fixture.file(Buffer.concat([picture, Buffer.alloc(sizeBytes - picture.length)]), 'large.jpg');
    },
    change: (name, permissions) =>
      hasParameter(sdk, 'storage', 'updateFile', 'name') ? [name, permissions] : [permissions],
    upload: async (user) => {
      const args = ['images', 'unique()', await fixture.picture()];
      return ((await callSdk(user, 'storage', 'createFile', args)) as { $id: string }).$id;
    },
    postPicture: async (user, imageId) => {
      const args = ['tara', 'posts', 'unique()', { caption: 'Hello', imageId }];
      await callSdk(user, 'databases', 'createDocument', args);
    },
    noteUploads: (accountId) =>
      inDatabase(tara, async (sql) => {
        await sql`insert into files (id, bucket, owner_account_id, mime_type, size, signature, width, height, thumbhash)
          select ${accountId}::text || '-' || number, 'images', ${accountId}, 'image/jpeg', 1, '', 1, 1, ''
          from generate_series(1, 40) number`;
      }),
  };
  return fixture;
}
