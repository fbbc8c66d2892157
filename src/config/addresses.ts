/** Addresses that settings accept. */

/** Tells whether requests may go to a URL. One with a password is refused: messages would show it. Keys come from the environment. */
export function isEndpoint(url: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(url) || /[?#\\]/.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '' && !url.includes('@');
}

/** Tells whether code may be published to an address; plain HTTP only within this machine. */
export function isFleet(address: string): boolean {
  if (/^(?:file|s3|gs|az):\/\/[\x21-\x7e]+$/.test(address)) return !address.includes('@');
  const isLocal = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$)/.test(address);
  return isEndpoint(address) && (isLocal || address.startsWith('https:'));
}
