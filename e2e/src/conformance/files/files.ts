import assert from 'node:assert/strict';
import { files } from '@tara/contract/files';
import { storage } from '@tara/contract/wire/storage';
import sharp from 'sharp';
import { type Case, storageCall } from '../cases.ts';

const bytesOf = (reply: unknown): Buffer => {
  assert.ok(Buffer.isBuffer(reply), 'the reply is not the bytes of a file');
  return reply;
};

/** What every call of one file refuses. */
const missing: readonly Case<never>[] = [
  {
    outcome: 'storage_bucket_not_found',
    how: 'another bucket',
    run: async ({ member }, invoke) => invoke((await member()).user, 'other', 'nothing'),
  },
  {
    outcome: 'storage_file_not_found',
    how: 'an unknown file',
    run: async ({ member }, invoke) => invoke((await member()).user, 'images', 'nothing'),
  },
  {
    outcome: 'storage_file_not_found',
    how: 'a file that another member uploaded and has not used',
    run: async ({ member, newMember, upload }, invoke) => {
      const id = await upload((await newMember()).user);
      return invoke((await member()).user, 'images', id);
    },
  },
];

const invalidRange: Case = {
  outcome: 'storage_invalid_range',
  how: 'a range behind the end of the file',
  run: async ({ newMember, upload }, invoke) => {
    const { user } = await newMember();
    const id = await upload(user);
    user.setHeader('range', 'bytes=99999999-');
    return invoke(user, 'images', id);
  },
};

/** What every way to read the bytes has. */
const wholeFile: Case = {
  outcome: 'success',
  how: 'reads the stored picture, and a range of it',
  run: async ({ newMember, upload }, invoke) => {
    const { user } = await newMember();
    const id = await upload(user);
    const whole = bytesOf(await invoke(user, 'images', id));
    assert.deepEqual((await sharp(whole).metadata()).format, 'jpeg');
    user.setHeader('range', 'bytes=10-19');
    const range = bytesOf(await invoke(user, 'images', id));
    assert.ok(range.equals(whole.subarray(10, 20)));
  },
};

/** One file: what is known of it, its bytes, and its end. */
export const fileCalls = [
  storageCall(storage.list, {
    row: '§7-files-list',
    methods: ['listFiles'],
    args: ['images'],
    cases: [
      {
        outcome: 'success',
        how: 'lists the files of one’s own in pages, and by a word of their names',
        run: async ({ newMember, upload, query }, invoke) => {
          const { user } = await newMember();
          const ids = [await upload(user), await upload(user)];
          const all = await invoke(user, 'images');
          assert.deepEqual([all.total, all.files.map(({ $id }) => $id).sort()], [2, ids.toSorted()]);
          const first = await invoke(user, 'images', [query.orderDesc('$createdAt'), query.limit(1)]);
          assert.deepEqual([first.total, first.files.map(({ $id }) => $id)], [2, ids.slice(1)]);
          const rest = await invoke(user, 'images', [
            query.orderDesc('$createdAt'),
            query.cursorAfter(ids[1]),
          ]);
          assert.deepEqual(
            rest.files.map(({ $id }) => $id),
            ids.slice(0, 1),
          );
          assert.equal((await invoke(user, 'images', [], 'photo')).files.length, 2);
        },
      },
      {
        outcome: 'general_argument_invalid',
        how: '101 queries',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, 'images', Array<string>(101).fill(query.limit(1))),
      },
      {
        outcome: 'general_query_invalid',
        how: 'an attribute that files do not have',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, 'images', [query.equal('nothing', ['x'])]),
      },
      {
        outcome: 'general_cursor_not_found',
        how: 'a cursor after an unknown file',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, 'images', [query.cursorAfter('nothing')]),
      },
      {
        outcome: 'storage_bucket_not_found',
        how: 'another bucket',
        run: async ({ member }, invoke) => invoke((await member()).user, 'other'),
      },
    ],
  }),
  storageCall(storage.get, {
    row: '§7-files-get',
    methods: ['getFile'],
    args: ['images', 'nothing'],
    cases: [
      {
        outcome: 'success',
        how: 'reads what is known of a file of one’s own',
        run: async ({ newMember, upload }, invoke) => {
          const { user } = await newMember();
          const id = await upload(user);
          const read = await invoke(user, 'images', id);
          assert.deepEqual([read.$id, read.bucketId, read.chunksUploaded], [id, 'images', 1]);
        },
      },
      ...missing,
    ],
  }),
  storageCall(storage.update, {
    row: '§7-files-update',
    methods: ['updateFile'],
    args: ['images', 'nothing'],
    cases: [
      {
        outcome: 'success',
        how: 'renames a file of one’s own; permissions have no effect',
        run: async ({ newMember, upload, change }, invoke) => {
          const { user } = await newMember();
          const sent = change('beach.jpg', ['read("any")']);
          const changed = await invoke(user, 'images', await upload(user), ...sent);
          if (sent.includes('beach.jpg')) assert.equal(changed.name, 'beach.jpg');
          assert.ok(!changed.$permissions.includes('read("any")'));
        },
      },
      {
        outcome: 'general_argument_invalid',
        how: 'a permission that is none',
        run: async ({ newMember, upload, change }, invoke) => {
          const { user } = await newMember();
          return invoke(user, 'images', await upload(user), ...change('beach.jpg', ['read(any)']));
        },
      },
      {
        outcome: 'user_unauthorized',
        how: 'the picture of another member’s post',
        run: async ({ newMember, member, upload, postPicture, change }, invoke) => {
          const { user } = await newMember();
          const id = await upload(user);
          await postPicture(user, id);
          return invoke((await member()).user, 'images', id, ...change('mine.jpg'));
        },
      },
      ...missing,
    ],
  }),
  storageCall(files.delete, {
    row: '§7-files-delete',
    methods: ['deleteFile'],
    args: ['images', 'nothing'],
    cases: [
      {
        outcome: 'success',
        how: 'deletes an upload that nothing uses',
        run: async ({ newMember, upload }, invoke) => {
          const { user } = await newMember();
          const id = await upload(user);
          await invoke(user, 'images', id);
          await assert.rejects(invoke(user, 'images', id), { type: 'storage_file_not_found' });
        },
      },
      ...missing,
    ],
  }),
  storageCall(storage.view, {
    row: '§7-files-view',
    methods: ['getFileView'],
    args: ['images', 'nothing'],
    cases: [wholeFile, invalidRange, ...missing],
  }),
  storageCall(storage.download, {
    row: '§7-files-download',
    methods: ['getFileDownload'],
    args: ['images', 'nothing'],
    cases: [wholeFile, invalidRange, ...missing],
  }),
  storageCall(storage.preview, {
    row: '§7-files-preview',
    methods: ['getFilePreview'],
    args: ['images', 'nothing'],
    cases: [
      {
        outcome: 'success',
        how: 'reads the picture smaller, and in a lower quality',
        run: async ({ newMember, upload }, invoke) => {
          const { user } = await newMember();
          const id = await upload(user);
          const small = bytesOf(await invoke(user, 'images', id, 320));
          const poor = bytesOf(await invoke(user, 'images', id, 320, undefined, undefined, 10));
          assert.equal((await sharp(small).metadata()).width, 320);
          assert.ok(poor.length < small.length);
        },
      },
      {
        outcome: 'success',
        how: 'reads a part of the picture, rotated, with a border and round corners, as PNG',
        run: async ({ newMember, upload }, invoke) => {
          const { user } = await newMember();
          const shape = [200, 100, 'top-left', 80, 5, 'ff0000', 20, 0.5, 90, '', 'png'];
          const preview = bytesOf(await invoke(user, 'images', await upload(user), ...shape));
          const { format, width, height } = await sharp(preview).metadata();
          assert.deepEqual([format, width, height], ['png', 110, 210]);
        },
      },
      {
        outcome: 'storage_image_resolution_exceeded',
        how: 'more pixels than a preview may have',
        run: async ({ newMember, upload }, invoke) => {
          const { user } = await newMember();
          const shape = [4_000, 4_000, 'center', 80, 0, '', 0, 1, 45];
          return invoke(user, 'images', await upload(user), ...shape);
        },
      },
      {
        outcome: 'general_argument_invalid',
        how: 'a width of 4001',
        run: async ({ newMember, upload }, invoke) => {
          const { user } = await newMember();
          return invoke(user, 'images', await upload(user), 4_001);
        },
      },
      ...missing,
    ],
  }),
];
