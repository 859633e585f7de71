import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSpec } from '../../src/cli/spec.ts'
import { here } from './command.ts'

const paths = { '/orders': { get: { responses: { 200: { description: 'Done.' } } } } }

function fileOf(openapi: string, more: object = {}): string {
  const file = join(mkdtempSync(join(tmpdir(), 'spec-')), 'contract.json')
  writeFileSync(file, JSON.stringify({ openapi, info: { title: 'Orders', version: '1' }, paths, ...more }))
  return file
}

test('does not change OpenAPI 3.1', async () => {
  const { contract } = await readSpec(fileOf('3.1.0'))
  expect(contract).toMatchObject({ openapi: '3.1.0', paths })
})

test('names files of the contract only where the reader has them', async () => {
  const [clone, elsewhere] = await Promise.all([readSpec(undefined), readSpec(undefined, tmpdir())])
  expect(clone.locate?.('/info')?.file).toBe('spec/openapi.yaml')
  expect(elsewhere.locate).toBeUndefined()
})

test.each(['2.0', '3.0.3'])('refuses OpenAPI %s', async (version) => {
  const { code, stderr } = await here(['--target', 'http://127.0.0.1:1', '--spec', fileOf(version)])
  expect(code).toBe(2)
  expect(stderr).toContain(`must be 3.1, got ${version}. It must be OpenAPI 3.1 in one file.`)
})

test('refuses a keyword that is not implemented, with its place and what to do', async () => {
  const file = fileOf('3.1.0', { components: { schemas: { Order: { contains: {} } } } })
  const { code, stderr } = await here(['--target', 'http://127.0.0.1:1', '--spec', file])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `The contract cannot be read: "/components/schemas/Order/contains" is not implemented: remove it, or use another keyword.\n`,
  })
})

test('says once what is declared for operations that the copy does not have', async () => {
  const { code, stderr } = await here(['--target', 'http://127.0.0.1:1', '--spec', fileOf('3.1.0')])
  expect(code).toBe(2)
  expect(stderr.match(/^--spec: .*/gm)).toEqual([
    expect.stringMatching(
      /^--spec: not checked, because \S+ lacks their operations or fields: [\w/-]+(, [\w/-]+){4}, and \d+ more\.$/,
    ),
  ])
})
