import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createValidator } from '@partner-payments/validator'
import { expect, test } from 'vitest'
import { readSpec } from '../../src/cli/spec.ts'
import { here } from './command.ts'

const schema = {
  type: 'object',
  properties: {
    amount: { type: 'number', minimum: 0, exclusiveMinimum: true },
    note: { type: 'string', nullable: true },
    nullable: { type: 'boolean', example: true },
  },
  example: { nullable: true },
}
const content = { 'application/json': { schema, example: { note: 'a', type: 'string', nullable: true } } }
const paths = {
  '/orders': { post: { requestBody: { content }, responses: { 200: { description: 'Done.' } } } },
}

function fileOf(openapi: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'spec-')), 'contract.json')
  writeFileSync(file, JSON.stringify({ openapi, info: { title: 'Orders', version: '1' }, paths }))
  return file
}

test('converts OpenAPI 3.0 to OpenAPI 3.1', async () => {
  const { contract = {} } = await readSpec(fileOf('3.0.3'))
  const validator = createValidator(contract)
  const found = (body: unknown) =>
    validator
      .validateRequest({
        method: 'POST',
        path: '/orders',
        headers: { 'content-type': 'application/json' },
        body,
      })
      .map(({ pointer, keyword }) => `${pointer} ${keyword}`)
  expect(found({ amount: 0.01, note: null, nullable: true })).toEqual([])
  expect(found({ amount: 0, note: 7, nullable: null })).toEqual([
    '/amount exclusiveMinimum',
    '/note type',
    '/nullable type',
  ])
})

test('does not change the examples of OpenAPI 3.0', async () => {
  const { contract } = await readSpec(fileOf('3.0.3'))
  expect(JSON.stringify(contract)).toContain('{"note":"a","type":"string","nullable":true}')
})

test('does not change OpenAPI 3.1', async () => {
  const { contract } = await readSpec(fileOf('3.1.0'))
  expect(contract).toMatchObject({ openapi: '3.1.0', paths })
})

test('refuses Swagger 2.0', async () => {
  const { code, stderr } = await here(['--target', 'http://127.0.0.1:1', '--spec', fileOf('2.0')])
  expect(code).toBe(2)
  expect(stderr).toContain('must be 3.1, got 2.0. It must be OpenAPI 3.0 or 3.1 in one file.')
})
