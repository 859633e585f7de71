import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, it } from 'vitest'
import type { Tarball } from './consumer.ts'

export const ROOT = resolve(import.meta.dirname, '../..')

/** The tarball of a package in a folder. */
export function tarballIn(folder: string, name: string): Tarball {
  const home = join(ROOT, name === 'spec' ? name : `packages/${name}`)
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  return {
    name: `@partner-payments/${name}`,
    file: join(folder, `partner-payments-${name}-${version}.tgz`),
    home,
  }
}

/** Tests what a tarball contains. */
export function testContents({ file }: Tarball): void {
  it('contains LICENSE and README', () => {
    expect(filesOf(file)).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md']))
  })

  it('contains every file that it exports, and no source or test', () => {
    const { exports, bin } = manifestOf(file)
    const targets = [...targetsIn(exports), ...targetsIn(bin)]
    const exported = targets.map((target) => target.replace('./', 'package/'))
    expect(exported.length).toBeGreaterThan(0)
    expect(filesOf(file)).toEqual(expect.arrayContaining(exported))
    expect(filesOf(file).filter(isSourceOrTest)).toEqual([])
  })

  it('needs no package of this workspace', () => {
    const { dependencies, peerDependencies } = manifestOf(file)
    const needed = JSON.stringify({ dependencies, peerDependencies })
    expect(needed).not.toMatch(/@partner-payments\/|workspace:|catalog:/)
    // Examples in comments may name other packages, and a message its own.
    const isComment = (line: string) => /^\s*(\*|\/)/.test(line)
    const isImport = (line: string) => /(from|import)[\s(]*['"`]@partner-payments\//.test(line)
    const lines = sourcesOf(file).split('\n')
    expect(lines.filter((line) => !isComment(line) && isImport(line))).toEqual([])
  })

  it('passes publint', async () => {
    const { messages, pkg } = await publint({
      pack: { tarball: Uint8Array.from(readFileSync(file)).buffer },
      strict: true,
    })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })
}

function isSourceOrTest(file: string): boolean {
  if (file.startsWith('package/test/') || file.startsWith('package/src/')) return true
  return file.endsWith('.ts') && !file.endsWith('.d.ts')
}

function filesOf(file: string): string[] {
  return execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n')
}

/** The text of all JavaScript and declaration files. */
function sourcesOf(file: string): string {
  const sources = filesOf(file).filter((path) => /\.\w*s$/.test(path))
  return execFileSync('tar', ['-xzOf', file, '-T', '-'], {
    input: sources.join('\n'),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
}

/** The package.json of a tarball. */
export function manifestOf(file: string) {
  const args = ['-xzOf', file, 'package/package.json']
  return JSON.parse(execFileSync('tar', args, { encoding: 'utf8' }))
}

/** The files in `exports` or `bin`, for all conditions. */
function targetsIn(node: unknown): string[] {
  if (typeof node === 'string') return [node]
  return Object.values(node ?? {}).flatMap(targetsIn)
}
