import { UAParser } from 'ua-parser-js';

/** What a person calls the program that sent this user agent, such as 'Chrome on Android'; empty when nothing is known of it. */
export function clientName(userAgent: string): string {
  const { browser, os } = new UAParser(userAgent).getResult();
  return [browser.name, os.name].filter((name) => name !== undefined).join(' on ');
}
