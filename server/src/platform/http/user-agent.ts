import { UAParser } from 'ua-parser-js';

/** The wire's two-letter codes of the systems and browsers that people use most. */
const osCodes: Record<string, string> = {
  Windows: 'WIN',
  macOS: 'MAC',
  iOS: 'IOS',
  Android: 'AND',
  Linux: 'LIN',
  Ubuntu: 'UBT',
  'Chrome OS': 'COS',
};
const clientCodes: Record<string, string> = {
  Chrome: 'CH',
  'Mobile Chrome': 'CM',
  Firefox: 'FF',
  'Mobile Firefox': 'FM',
  Safari: 'SF',
  'Mobile Safari': 'MF',
  Edge: 'PS',
  Opera: 'OP',
};

/** A user agent as the backend service's wire shows it; what is not known is `''`. */
export function describeUserAgent(userAgent: string) {
  const { os, browser, engine, device } = new UAParser(userAgent).getResult();
  const name = browser.name ?? userAgent.split(/[/ ]/, 1)[0] ?? '';
  return {
    osCode: osCodes[os.name ?? ''] ?? '',
    osName: os.name ?? '',
    osVersion: os.version ?? '',
    clientType: browser.name === undefined ? (userAgent === '' ? '' : 'library') : 'browser',
    clientCode: clientCodes[name] ?? '',
    clientName: name,
    clientVersion: browser.version ?? '',
    clientEngine: engine.name ?? '',
    clientEngineVersion: engine.version ?? '',
    deviceName:
      device.type === undefined || device.type === 'mobile'
        ? device.type
          ? 'smartphone'
          : os.name
            ? 'desktop'
            : ''
        : device.type,
    deviceBrand: device.vendor ?? '',
    deviceModel: device.model ?? '',
  };
}
