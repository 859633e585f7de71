import { readFile } from 'node:fs/promises'

const root = (path: string) => new URL(`../../${path}`, import.meta.url)

/** The version that the packages share. */
export async function versionOf(): Promise<string> {
  return JSON.parse(await readFile(root('packages/client/package.json'), 'utf8')).version
}

/** What each version changes, by packages. */
export function changelog(): Promise<string> {
  return readFile(root('CHANGELOG.md'), 'utf8')
}
