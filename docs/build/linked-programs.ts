import { basename } from 'node:path'

/** Programs of other packages that guides link. The site has copies of them to download. */
export const LINKED_PROGRAMS: readonly string[] = [
  'packages/client/test/clients/fetch.ts',
  'packages/client/test/clients/ky.ts',
  'packages/client/test/clients/openapi-fetch.ts',
  'packages/client/test/connections/certificates.ts',
  'packages/client/test/connections/proxy.ts',
  'packages/client/test/nightly/clients/hey-api.ts',
  'packages/client/test/nightly/clients/kubb.ts',
  'packages/client/test/nightly/clients/orval.ts',
  'packages/client/test/recipes/shared-token.ts',
  'packages/client/test/recipes/traces.ts',
  'packages/conformance/examples/staging.yml',
]

/** Where the site has the copy of a program. */
export function locateCopy(program: string): string {
  return `programs/${basename(program)}`
}

/** A guide whose links to programs of the repository lead to the copies on the site. */
export function withCopies(guide: string): string {
  let text = guide
  for (const program of LINKED_PROGRAMS)
    text = text.replaceAll(`](../../${program})`, `](../${locateCopy(program)}){target="_self"}`)
  return text
}
