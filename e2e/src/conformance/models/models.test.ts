import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Call } from '@tara/contract/calls';
import { File } from '@tara/contract/files';
import { documents } from '@tara/contract/wire/documents';
import { storage } from '@tara/contract/wire/storage';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { extractModels } from './extract.ts';
import { modelTable, replyFaults, servedCalls, sourcesWith, valueFaults } from './table.ts';

/** Calls that answer no model: nothing, pictures, or a redirect. */
const answersModel = ({ status, reply }: Call) => status < 204 && reply._zod.def.type !== 'unknown';

describe('replies of the backend service', () => {
  it('have a model for each call of the SDKs', () => {
    const without = [...servedCalls].filter(
      ([name, call]) => answersModel(call) && !(name in modelTable.calls),
    );
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('have each field that the official SDKs require, of its type', () => {
    const faults = Object.entries(modelTable.calls).flatMap(([name, model]) => {
      const call = servedCalls.get(name);
      return call === undefined ? [`${name}: is not served`] : replyFaults(name, call, model);
    });
    expect(faults).toEqual([]);
  });

  it('have no field that may be of another type, or null', () => {
    const reply = z.object({
      ...File.shape,
      sizeActual: z.nullable(z.int()),
      name: z.union([z.string(), z.int()]),
    });
    expect(replyFaults('file', { ...storage.get, reply }, 'File')).toEqual([
      'file: File.name: may be integer, which no source expects',
      'file: File.sizeActual: may be null, which no source expects',
    ]);
  });

  it('are compared with the models of all sources that read what the SDK asked for', () => {
    const newest = { name: 'sdk-for-flutter', version: '24.2.0' };
    const reply = { total: 1, files: [{ $id: 'beach', bucketId: 'images', sizeOriginal: '5' }] };
    expect(valueFaults(storage.list, reply, [newest])).toEqual(
      expect.arrayContaining([
        'FileList.files[].sizeOriginal: string instead of integer (sdk-for-flutter 24.2.0)',
        'FileList.files[].sizeActual: is missing (sdk-for-flutter 24.2.0)',
      ]),
    );
    // It came with a later version.
    const older = { name: 'sdk-for-flutter', version: '21.4.0' };
    expect(valueFaults(storage.list, reply, [older]).join()).not.toContain('sizeActual');
    const titles = (sequence: 'string' | 'integer') =>
      sourcesWith(sequence).map(({ name, version }) => `${name} ${version}`);
    expect(titles('integer')).toEqual(['sdk-for-flutter 21.4.0', 'sdk-for-flutter 22.0.0']);
    expect(titles('string')).toEqual(
      expect.arrayContaining(['appwrite 28.0.0', 'sdk-for-flutter 24.2.0', 'sdk-for-php 27.1.0']),
    );
    const document = { $id: 'a', $sequence: 1 };
    expect(valueFaults(documents.get, document, sourcesWith('string'))).toContain(
      'Document.$sequence: integer instead of string (sdk-for-php 27.1.0)',
    );
  });
});

const sources = {
  'web/package.json': '{ "name": "appwrite", "version": "2.0.0", "types": "types/index.d.ts" }',
  'web/types/models.d.ts': `export declare namespace Models {
    /**
     * File
     */
    export type File = {
        /**
         * File ID.
         */
        $id: string;
        size?: number;
    };
}`,
  'flutter/pubspec.yaml': 'name: appwrite\nversion: 3.1.0\n',
  'flutter/lib/src/models/file.dart': `class File implements Model {
  final String $id;

  final int size;

  factory File.fromMap(Map<String, dynamic> map) {
    return File($id: map['\\$id'].toString(), size: map['size']);
  }

  Map<String, dynamic> toMap() {
    return {
      "\\$id": $id,
      "size": size,
    };
  }
}`,
  'flutter/lib/services/storage.dart': `class Storage extends Service {
  Future<models.File> getFile({required String fileId}) async {
    final String apiPath = '/storage/buckets/{bucketId}/files/{fileId}';
    final res = await client.call(HttpMethod.get, path: apiPath);
    return models.File.fromMap(res.data);
  }
}`,
  'php/composer.json': '{}',
  'php/src/Appwrite/Client.php': "'x-sdk-version'=> '4.0.0',",
  'php/src/Appwrite/Models/File.php': `readonly class File
{
    public function __construct(
        public string $id,
        public ?int $size = null
    ) {
    }

    public static function from(array $data): static
    {
        if (!array_key_exists('$id', $data)) {
        }

        return new static(
            id: $data['$id'],
            size: array_key_exists('size', $data) ? $data['size'] : null
        );
    }
}`,
};

it('reads the models of replies from sources of TypeScript, Dart and PHP', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-models-'));
  try {
    for (const [path, text] of Object.entries(sources)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    expect(extractModels(folder)).toEqual({
      sources: { appwrite: ['2.0.0'], 'sdk-for-flutter': ['3.1.0'], 'sdk-for-php': ['4.0.0'] },
      calls: { 'GET /storage/buckets/{bucketId}/files/{fileId}': 'File' },
      models: {
        File: {
          $id: { string: ['appwrite', 'sdk-for-flutter', 'sdk-for-php'] },
          size: { 'number?': ['appwrite'], integer: ['sdk-for-flutter'], 'integer?': ['sdk-for-php'] },
        },
      },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
