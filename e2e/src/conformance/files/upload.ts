import assert from 'node:assert/strict';
import { files } from '@tara/contract/files';
import { upload as limits } from '@tara/contract/limits';
import { storageCall } from '../cases.ts';

const part = 5 * 1024 * 1024;

/** Uploading files, whole and in parts. */
export const uploadCalls = [
  storageCall(files.create, {
    row: '§7-files-create',
    methods: ['createFile'],
    args: ['images', 'unique()', new File(['picture'], 'photo.jpg')],
    cases: [
      {
        outcome: 'success',
        how: 'uploads a picture, with an id of the caller or of the server',
        run: async ({ newMember, picture }, invoke) => {
          const { user, accountId } = await newMember();
          const stored = await invoke(user, 'images', 'unique()', await picture());
          assert.notEqual(stored.$id, 'unique()');
          assert.deepEqual(
            [stored.bucketId, stored.mimeType, stored.name],
            ['images', 'image/jpeg', 'photo.jpg'],
          );
          assert.deepEqual([stored.chunksTotal, stored.chunksUploaded], [1, 1]);
          const id = `own-${accountId.slice(0, 30)}`;
          assert.equal((await invoke(user, 'images', id, await picture())).$id, id);
        },
      },
      {
        outcome: 'success',
        how: 'uploads 12 MB in three parts, as the SDK does it: one after another, or eight at once',
        run: async ({ newMember, largePicture }, invoke) => {
          const { user } = await newMember();
          const stored = await invoke(user, 'images', 'unique()', await largePicture(12_000_000));
          assert.deepEqual([stored.chunksTotal, stored.chunksUploaded], [3, 3]);
          assert.notEqual(stored.signature, '');
        },
      },
      {
        outcome: 'general_argument_invalid',
        how: 'an id that begins with a special character',
        run: async ({ member, picture }, invoke) =>
          invoke((await member()).user, 'images', '_own', await picture()),
      },
      {
        outcome: 'storage_bucket_not_found',
        how: 'another bucket',
        run: async ({ member, picture }, invoke) =>
          invoke((await member()).user, 'other', 'unique()', await picture()),
      },
      {
        outcome: 'storage_file_empty',
        how: 'a file without bytes',
        run: async ({ member, file }, invoke) =>
          invoke((await member()).user, 'images', 'unique()', file(Buffer.alloc(0), 'photo.jpg')),
      },
      {
        outcome: 'storage_file_type_unsupported',
        how: 'a text',
        run: async ({ member, file }, invoke) =>
          invoke((await member()).user, 'images', 'unique()', file(Buffer.from('Hello'), 'hello.txt')),
      },
      {
        outcome: 'storage_invalid_file_size',
        how: 'a file larger than the bucket takes',
        run: async ({ member, largePicture }, invoke) =>
          invoke(
            (await member()).user,
            'messageFiles',
            'unique()',
            await largePicture(limits.messageFiles + 1),
          ),
      },
      {
        outcome: 'storage_invalid_file',
        how: 'bytes that begin as a picture and are none',
        run: async ({ member, file }, invoke) => {
          const bytes = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(2_000, 7)]);
          return invoke((await member()).user, 'images', 'unique()', file(bytes, 'photo.jpg'));
        },
      },
      {
        outcome: 'storage_invalid_content_range',
        how: 'a part that ends before it begins',
        run: async ({ newMember, picture }, invoke) => {
          const { user } = await newMember();
          user.setHeader('content-range', 'bytes 9-1/12000000');
          return invoke(user, 'images', 'unique()', await picture());
        },
      },
      {
        outcome: 'storage_invalid_appwrite_id',
        how: 'a further part with an id that is none',
        run: async ({ newMember, largePicture }, invoke) => {
          const { user } = await newMember();
          user.setHeader('content-range', `bytes ${part}-${2 * part - 1}/12000000`);
          user.setHeader('x-appwrite-id', '_own');
          return invoke(user, 'images', 'unique()', await largePicture(part));
        },
      },
      {
        outcome: 'storage_file_already_exists',
        how: 'an id that has a file',
        run: async ({ newMember, upload, picture }, invoke) => {
          const { user } = await newMember();
          const id = await upload(user);
          return invoke(user, 'images', id, await picture());
        },
      },
      {
        outcome: 'storage_unfinished_limit',
        how: 'first parts of more uploads than may be open',
        run: async ({ newMember, largePicture }, invoke) => {
          const { user } = await newMember();
          user.setHeader('content-range', `bytes 0-${part - 1}/12000000`);
          const first = await largePicture(part);
          for (let count = 0; count < 50; count++) await invoke(user, 'images', 'unique()', first);
        },
      },
      {
        outcome: 'storage_unused_limit',
        how: 'more uploads than may wait for a use',
        run: async ({ newMember, noteUploads, picture }, invoke) => {
          const { user, accountId } = await newMember();
          await noteUploads(accountId);
          return invoke(user, 'images', 'unique()', await picture());
        },
      },
    ],
  }),
];
