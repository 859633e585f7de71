import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SPEC } from '@partner-payments/spec/build'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

const BREAKING = fileURLToPath(new URL('../../breaking.ts', import.meta.url))
const LEFT_OUT = ['node_modules', 'dist', '.turbo']
const spec = mkdtempSync(join(tmpdir(), 'released-'))

beforeAll(() => {
  cpSync(SPEC, spec, { recursive: true, filter: (source) => !LEFT_OUT.includes(basename(source)) })
  git('init', '--quiet')
  git('add', '.')
  git(
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@example.com',
    'commit',
    '--quiet',
    '--message',
    'release',
  )
})
beforeEach(() => git('checkout', '--quiet', '.'))
afterAll(() => rmSync(spec, { recursive: true, force: true }))

it('finds nothing before the first release', async () => {
  expect(await breaking()).toMatchObject({ code: 0, text: expect.stringContaining('No release') })
})

it('compares with the last release', async () => {
  git('tag', 'v0.1.0')
  expect(await breaking()).toEqual({ code: 0, text: 'openapi.yaml is the same.\nguide.yaml is the same.\n' })
})

it('reports a response that lost a field', async () => {
  edit('schemas/codes.yaml', /^ {4}revision:\n(?: {6}.*\n)+/m, '')
  edit('schemas/codes.yaml', /^ {4}- revision\n/m, '')
  expect(await breaking('HEAD')).toMatchObject({ code: 1, text: expect.stringContaining('property-removed') })
})

it('reports a request with a new required field, and accepts a new optional one', async () => {
  edit('schemas/auth.yaml', '    user_id:\n', '    locale: { type: string }\n    user_id:\n')
  expect(await breaking('HEAD')).toMatchObject({ code: 0, text: expect.stringContaining('0 major') })
  edit('schemas/auth.yaml', '[customer_id, user_id]', '[customer_id, user_id, locale]')
  expect(await breaking('HEAD')).toMatchObject({ code: 1 })
})

it('also compares the short paths of the guide', async () => {
  edit('guide.yaml', '  /pix/key:', '  /pix/keys:')
  expect(await breaking('HEAD')).toMatchObject({ code: 1 })
})

it('fails for a path that does not exist', async () => {
  edit('paths/keys.yaml', 'schemas/keys.yaml#/KeyCheck', 'schemas/keys.yaml#/KeyChek')
  const found = await breaking('HEAD')
  expect(found).toMatchObject({ code: 2, text: expect.stringContaining('openapi.yaml could not be bundled') })
})

it('refuses an unknown option', async () => {
  expect(await breaking('--bogus')).toMatchObject({ code: 2, text: expect.stringContaining("'--bogus'") })
})

it('reports a ref that cannot be compared', async () => {
  const found = await breaking('no-such-ref')
  expect(found).toMatchObject({
    code: 2,
    text: expect.stringContaining('"no-such-ref" is not a tag, a branch or a commit'),
  })
})

async function breaking(...args: readonly string[]) {
  const run = promisify(execFile)(process.execPath, [BREAKING, '--spec', spec, ...args])
  const { stdout, stderr } = await run.catch((failure) => failure)
  return { code: run.child.exitCode, text: `${stdout}${stderr}` }
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: spec, stdio: 'pipe' })
}

function edit(file: string, from: string | RegExp, to: string): void {
  const path = join(spec, file)
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
}
