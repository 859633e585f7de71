import { readdir, readFile } from 'node:fs/promises'
import { paragraphs } from './text.ts'

const root = (path: string) => new URL(`../../${path}`, import.meta.url)

/** The version that the packages share. */
export async function versionOf(): Promise<string> {
  return JSON.parse(await readFile(root('packages/client/package.json'), 'utf8')).version
}

/** What each version changes, by packages: a change of several packages once, without the commit. */
export async function changelog(): Promise<string> {
  const folders = ['spec', ...(await readdir(root('packages/'))).map((name) => `packages/${name}`)]
  const changes = (await Promise.all(folders.map(changesOf))).flat()
  const versions = Map.groupBy(changes, ({ version }) => version)
  return paragraphs(
    '# Changelog',
    'What changed in each version, by package. All packages have the same version.',
    [...versions].flatMap(([version, own]) => [`## ${version}`, ...byPackages(own)]),
  )
}

type Change = Awaited<ReturnType<typeof changesOf>>[number]

function byPackages(changes: readonly Change[]): string[] {
  const texts = [...Map.groupBy(changes, ({ text }) => text)]
  const named = Map.groupBy(texts, ([, all]) => all.map(({ name }) => name).join(', '))
  return [...named].flatMap(([names, own]) => [`### ${names}`, own.map(([text]) => `- ${text}`).join('\n')])
}

async function changesOf(folder: string) {
  const name = folder.replace('packages/', '')
  const log = await readFile(root(`${folder}/CHANGELOG.md`), 'utf8').catch(() => '')
  return log.split(/^## /m).flatMap((release) => {
    const [version = '', ...changes] = release.replaceAll(/^### .*\n/gm, '').split(/^- (?:\w{7,}: )?/m)
    return changes.map((text) => ({ version: version.trim(), name, text: text.trim() }))
  })
}
