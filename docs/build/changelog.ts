import { readdir, readFile } from 'node:fs/promises'

const root = (path: string) => new URL(`../../${path}`, import.meta.url)

/** The version that the packages share. */
export async function versionOf(): Promise<string> {
  return JSON.parse(await readFile(root('packages/client/package.json'), 'utf8')).version
}

/** The changelog of each package, one below the other. */
export async function changelog(): Promise<string> {
  const folders = ['spec', ...(await readdir(root('packages/'))).map((name) => `packages/${name}`)]
  const texts = folders.map((folder) => readFile(root(`${folder}/CHANGELOG.md`), 'utf8').catch(() => ''))
  const parts = (await Promise.all(texts)).map((text) => text.replaceAll(/^(#+) /gm, '#$1 '))
  return ['# Changelog', ...parts.filter(Boolean)].join('\n\n')
}
