import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import spec from '../spec/package.json' with { type: 'json' }
import { readScriptArguments } from './arguments.ts'
import { changesSince, lastRelease } from './changes.ts'

const ROOT = resolve(import.meta.dirname, '..')
const HEADING = '## Unreleased\n'

/**
 * The Markdown files of this repository from which people copy commands. The changelog and the
 * decisions are left out: they tell what was true at their time.
 */
export function listPages(): string[] {
  const output = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  const files = output.split('\n').filter(Boolean)
  const isHistory = (file: string) =>
    file.includes('CHANGELOG') || file.startsWith('docs/decisions/')
  return files.filter((file) => !isHistory(file))
}

/**
 * A page with the names that `pack:all` gives to tarballs, and the tag of the action. All public
 * packages have one version.
 */
export function withTarballNames(page: string, version = spec.version): string {
  const ofTarball = /(?<=partner-payments-[a-z]+-)[\d.]+(?=\.tgz)/g
  const ofAction = /(?<=OWNER\/REPOSITORY@v)[\d.]+/g
  return page.replaceAll(ofTarball, version).replaceAll(ofAction, version)
}

/**
 * The changelog, whose unreleased changes become those of a version, after what changed in the
 * contract.
 */
export function withRelease(changelog: string, version: string, contract = ''): string {
  if (!changelog.includes(HEADING))
    throw new Error(`CHANGELOG.md has no ${HEADING.trim()}: nothing to release`)
  const changes = contract ? contractSection(contract) : ''
  return changelog.replace(HEADING, () => `## ${version}\n${changes}`)
}

/** What changed in the contract, with headings below those of a version. */
function contractSection(contract: string): string {
  const changes = contract.replaceAll(/^#/gm, '##').trimEnd()
  return `\n### the contract, for clients\n\n${changes}\n`
}

function edit(file: string, change: (text: string) => string): void {
  const path = join(ROOT, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

if (import.meta.main) {
  const { version } = readScriptArguments(
    'versions',
    {
      about: `Gives every public package the next version, in package.json, the contract, CHANGELOG.md and the names of tarballs. CHANGELOG.md also gets
what changed in the contract since the last release. The version is released when its commit is pushed with the tag v<version>.`,
      operands: { usage: '<version>', help: 'such as 0.2.0' },
      options: {},
      examples: ['0.2.0', '1.0.0'],
      exitCodes: '0 written, 2 wrong arguments, or no unreleased changes',
    },
    ({ operands: [version = ''] }) => {
      const isVersion = /^\d+\.\d+\.\d+$/.test(version)
      if (!isVersion) throw new Error(`expected a version such as 0.2.0, got "${version}"`)
      withRelease(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version)
      return { version }
    },
  )
  const ref = lastRelease()
  const contract = ref && (await changesSince(ref)).markdown
  edit('CHANGELOG.md', (text) => withRelease(text, version, contract))
  for (const file of globSync('{spec,packages/*}/package.json', { cwd: ROOT }))
    edit(file, (text) => text.replace(/(?<="version": ")[^"]+/, version))
  for (const file of ['spec/openapi.yaml', 'spec/guide.yaml'])
    edit(file, (text) => text.replace(/(?<=^ {2}version: )\S+/m, version))
  for (const file of listPages()) edit(file, (text) => withTarballNames(text, version))
}
