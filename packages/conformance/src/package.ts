import { readFileSync } from 'node:fs'

/** The version of this package and its documentation URL. */
export function readPackage(): { readonly version: string; readonly homepage?: string } {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
}
