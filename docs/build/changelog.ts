import { readdir, readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { Page } from './page.ts'

const root = (path: string) => new URL(`../../${path}`, import.meta.url)

/** The version that the packages share. */
export async function versionOf(): Promise<string> {
  return JSON.parse(await readFile(root('packages/client/package.json'), 'utf8')).version
}

/** The changelog: what the next release brings, by package, from the changesets; then the released changelog of each package. */
export async function changelog(): Promise<Page> {
  const names = (await readdir(root('.changeset/')))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
  const changes = await Promise.all(
    names.map(async (name) => parseChange(await readFile(root(`.changeset/${name}`), 'utf8'))),
  )
  const byPackage = Object.entries(Object.groupBy(changes.flat(), ({ name }) => name)).sort(([a], [b]) =>
    a.localeCompare(b),
  )
  const next = byPackage.map(
    ([name, all = []]) => `### ${name}\n\n${all.map(({ text }) => text).join('\n\n')}`,
  )
  const text = [
    '# Changelog',
    ...(next.length > 0 ? ['## Next release', ...next] : []),
    ...(await released()),
  ].join('\n\n')
  return {
    path: 'changelog.md',
    title: 'Changelog',
    summary: 'What changed, by package.',
    section: '',
    text,
    options: { sidebar: false },
  }
}

function parseChange(text: string): { name: string; text: string }[] {
  const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
  return Object.keys(parse(front) ?? {}).map((name) => ({
    name: name.replace('@partner-payments/', ''),
    text: body.trim(),
  }))
}

/** What `changeset version` wrote for the releases before. */
async function released(): Promise<string[]> {
  const folders = ['spec', ...(await readdir(root('packages/'))).map((name) => `packages/${name}`)]
  const texts = folders.map((folder) => readFile(root(`${folder}/CHANGELOG.md`), 'utf8').catch(() => ''))
  return (await Promise.all(texts)).filter(Boolean).map((text) => text.replaceAll(/^(#+) /gm, '#$1 '))
}
