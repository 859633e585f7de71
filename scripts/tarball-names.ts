/**
 * `node scripts/tarball-names.ts`, after `changeset version`: writes the present version into each tarball name of the pages
 * that people copy from.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** The pages of this repository that people copy commands from, below its root. */
export function pages(): string[] {
  const files = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  return files.filter((file) => file !== '' && !/^\.changeset\/|CHANGELOG|^docs\/decisions\//.test(file))
}

/** A page with the names that `pack:all` gives to tarballs. All public packages have one version. */
export function withTarballNames(page: string): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'spec/package.json'), 'utf8'))
  return page.replaceAll(/(?<=partner-payments-[a-z]+-)[\d.]+(?=\.tgz)/g, version)
}

if (import.meta.main)
  for (const file of pages().map((page) => join(ROOT, page)))
    writeFileSync(file, withTarballNames(readFileSync(file, 'utf8')))
