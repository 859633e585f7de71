import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import bundled from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { answersModule, type Bundle } from '../build/answers.ts'
import { markedSchemas } from '../build/marked.ts'
import { attemptOf } from './attempts.ts'

const GENERATED = new URL('../src/generated/answers.ts', import.meta.url)

test('the module imports nothing, and makes no code from text', () => {
  const text = readFileSync(GENERATED, 'utf8').replace("import type { Row } from '../issues.ts'", '')
  expect(text).not.toMatch(/\bimport\b|\beval\b|\bFunction\b/)
  expect(text).toContain('export const answers')
})

test('it runs where no code may be made from text, as under a strict content security policy', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './src/validation.ts'`,
      resolveDir: new URL('..', import.meta.url).pathname,
    },
    bundle: true,
    format: 'iife',
    globalName: 'client',
    write: false,
  })
  const strict = createContext({}, { codeGeneration: { strings: false, wasm: false } })
  expect(() => runInContext(`new Function('return 1')`, strict)).toThrow(/Code generation from strings/)
  runInContext(outputFiles[0]?.text ?? '', strict)
  const attempt = attemptOf({ operationId: 'getUser' })
  const reply = { response: { ok: true, status: 200 }, data: {} }
  Object.assign(strict, { attempt, next: async () => reply })
  const found = await runInContext(`client.validation()(attempt, next)`, strict)
  expect(found.issues[0]).toEqual({ pointer: '/created_at', message: 'expected a value, got nothing' })
})

test('a status that is an assumption has its question', async () => {
  const contract = structuredClone(bundled) as unknown as Bundle
  const operation = contract.paths['/mobile-bff/v1/pix/out/']?.post as { responses: Record<string, object> }
  Object.assign(operation.responses['201'] ?? {}, { 'x-open-question': { status: 'bounds' } })
  expect(await answersModule(contract)).toMatch(/createTransfer:\{201:\w+,question:"bounds"/)
  expect(readFileSync(GENERATED, 'utf8')).not.toMatch(/createTransfer:\{[^{}]*question:"/)
})

/** What is made of one schema, beside others. */
function marked(schema: object, others: Record<string, Record<string, unknown>> = {}, question?: string) {
  const made = markedSchemas({ It: { ...schema }, ...others })
  made.nameOf('It', question)
  return made.marked
}

test('a mark on a keyword is the question of that keyword alone', () => {
  const schema = { type: 'string', format: 'uuid', 'x-open-question': { format: 'a', meaning: 'b' } }
  expect(marked(schema)).toEqual({ It: { type: 'string', format: 'uuid', 'x-questions': { format: 'a' } } })
})

test('a mark on a node is the question of all below it, and of what it refers to', () => {
  const schema = { 'x-open-question': 'a', type: 'array', items: { $ref: '#/components/schemas/Item' } }
  expect(marked(schema, { Item: { type: 'string', 'x-open-question': { type: 'b' } } })).toEqual({
    It: { type: 'array', items: { $ref: '#/$defs/Item-a', 'x-questions': 'a' }, 'x-questions': 'a' },
    'Item-a': { type: 'string', 'x-questions': 'a' },
  })
})

test('a mark of its own is nearer than one above', () => {
  const schema = { type: 'object', properties: { x: { type: 'null', 'x-open-question': 'b' } } }
  const { It, 'It-a': below } = marked(schema, {}, 'a')
  expect(It).toBeUndefined()
  expect(below).toMatchObject({ 'x-questions': 'a', properties: { x: { 'x-questions': 'b' } } })
})

test('whether a member that is ours must be there is ours', () => {
  const properties = {
    fact: { type: 'string' },
    whole: { type: 'string', 'x-open-question': 'a' },
    presence: { type: 'string', 'x-open-question': { presence: 'b' } },
    elsewhere: { $ref: '#/components/schemas/Other' },
  }
  const schema = { required: Object.keys(properties), properties }
  expect(marked(schema, { Other: { type: 'string', 'x-open-question': 'c' } }).It).toMatchObject({
    'x-questions': { 'required whole': 'a', 'required presence': 'b', 'required elsewhere': 'c' },
  })
})

test('a choice between types is told by the type, with the question of the choice', () => {
  const anyOf = [{ type: 'string', format: 'date' }, { type: 'null' }]
  expect(marked({ anyOf, 'x-open-question': { anyOf: 'a' } }).It).toMatchObject({
    type: ['string', 'null'],
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
    allOf: [{ if: { type: 'string' }, then: { format: 'date' } }, { if: { type: 'null' } }],
    'x-questions': { type: 'a' },
  })
})

test('another choice stays as it is', () => {
  const anyOf = [
    { type: 'string', minLength: 3 },
    { type: 'string', format: 'date' },
  ]
  expect(marked({ anyOf }).It).toMatchObject({ anyOf })
})
