import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, openBrowser } from '@tara/server/testing/backend/browser';
import type { Sdk } from './sdks.ts';

/** The origin that the SDK for React Native sends from a phone, by the name of its app. */
export const nativeOrigin = 'appwrite-ios://app.test';

/** A file of a phone: React Native has no `File`, and its pictures have an address. */
export interface NativeFile {
  uri: string;
  name: string;
  type: string;
  size: number;
}

const isNativeFile = (value: unknown): value is NativeFile =>
  typeof value === 'object' && value !== null && 'uri' in value;

const readUri = (uri: string) => Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');

export const nativeFile = (bytes: Uint8Array, name: string, type: string): NativeFile => ({
  uri: `data:${type};base64,${Buffer.from(bytes).toString('base64')}`,
  name,
  type,
  size: bytes.length,
});

/** Reads the file at an address, as React Native does. */
class NativeFormData extends FormData {
  override append(name: string, value: unknown): void {
    if (isNativeFile(value))
      super.append(name, new File([readUri(value.uri)], value.name, { type: value.type }));
    else super.append(name, String(value));
  }
}

/** What the SDK loads of a phone. */
const nativeModules: Record<string, unknown> = {
  'react-native': { Platform: { OS: 'ios' } },
  'expo-file-system': {
    EncodingType: { Base64: 'base64' },
    readAsStringAsync: async (uri: string, { position, length }: { position: number; length: number }) =>
      readUri(uri)
        .subarray(position, position + length)
        .toString('base64'),
  },
};

/** Opens the SDK for React Native with what it uses of a phone: its requests, their cookies, and the files of pictures. */
export function openReactNative({ folder }: Sdk): Browser<'appwrite-27'> {
  const require = createRequire(join(folder, 'package.json'));
  const module: { exports: unknown } = { exports: {} };
  const browser = openBrowser('appwrite-27', {
    origin: nativeOrigin,
    bundle: join(folder, 'dist/cjs/sdk.js'),
    globals: {
      module,
      exports: module.exports,
      require: (name: string) => nativeModules[name] ?? require(name),
      FormData: NativeFormData,
    },
  });
  // Its classes have the same names.
  return { ...browser, sdk: module.exports as typeof browser.sdk };
}
