/**
 * Nothing is loaded but what the site carries, so that no reader is observed. `connect-src` is for
 * the search and “Try it”.
 */
export const CONTENT_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
