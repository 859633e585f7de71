import { createValidator } from '@partner-payments/validator'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDocument } from '../../src/model/document.ts'
import { formAt, writeForm } from '../../src/model/forms.ts'

const URL_ENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const inner = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } }
const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    number: { type: 'number' },
    flag: { type: 'boolean' },
    list: { type: 'array', items: { type: 'integer' } },
    object: inner,
    objects: { type: 'array', items: inner },
    bytes: {},
  },
  additionalProperties: false,
}

/** The form of a contract with one operation, and a validator for its bodies. */
function formOf(type: string, encoding: object = {}) {
  const content = { [type]: { schema, encoding } }
  const document = { openapi: '3.1.0', paths: { '/it': { post: { requestBody: { content } } } } }
  const media = `/paths/~1it/post/requestBody/content/${type.replace('/', '~1')}`
  const form = formAt(createDocument(document), media, type)
  if (!form) throw new Error('no form')
  const validator = createValidator(document)
  const found = (body: string, contentType: string) =>
    validator.validateValue(`${media}/schema`, body, { contentType })
  return { form, found, write: (value: unknown) => writeForm(form, value)?.body }
}

test('writes a URL-encoded form', () => {
  const { write } = formOf(URL_ENCODED)
  expect(write({ text: 'a b&=é', number: 1.5, flag: true })).toBe(
    'text=a%20b%26%3D%C3%A9&number=1.5&flag=true',
  )
  expect(write({ list: [1, 2], object: { a: 1 } })).toBe('list=1&list=2&object=%7B%22a%22%3A1%7D')
  expect(write({ text: null })).toBe('text=')
  expect(write({ 'a b': 'x' })).toBe('a%20b=x')
  for (const none of [null, 'a', [1]]) expect(write(none)).toBeUndefined()
})

test.each([
  [{ list: { style: 'form', explode: false } }, { list: [1, 2] }, 'list=1,2'],
  [{ list: { style: 'spaceDelimited' } }, { list: [1, 2] }, 'list=1%202'],
  [{ list: { style: 'pipeDelimited' } }, { list: [1, 2] }, 'list=1|2'],
  [{ list: { style: 'deepObject' } }, { list: [1, 2] }, 'list[0]=1&list[1]=2'],
  [{ list: { contentType: 'application/json' } }, { list: [1, 2] }, 'list=[1%2C2]'],
  [{ object: { style: 'form' } }, { object: { a: 1, b: 'x' } }, 'a=1&b=x'],
  [{ object: { explode: false } }, { object: { a: 1, b: 'x,y' } }, 'object=a,1,b,x%2Cy'],
  [{ object: { style: 'deepObject' } }, { object: { a: 1 } }, 'object[a]=1'],
  [{ objects: { style: 'deepObject' } }, { objects: [{ a: 1 }] }, 'objects[0][a]=1'],
])('writes by the encoding %j', (encoding, value, text) => {
  const { write, found } = formOf(URL_ENCODED, encoding)
  const body = write(value) ?? ''
  expect(body.replaceAll('%5B', '[').replaceAll('%5D', ']')).toBe(text.replaceAll('%5B', '['))
  const isSpread = 'object' in encoding && body.startsWith('a=')
  // Exploded properties have no names that the schema allows.
  expect(isSpread ? [] : found(body, URL_ENCODED)).toEqual([])
})

const values = fc.record(
  {
    text: fc.string({ unit: 'grapheme' }),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((it) => !Object.is(it, -0)),
    flag: fc.boolean(),
    list: fc.array(fc.integer(), { minLength: 1 }),
    object: fc.record({ a: fc.integer(), b: fc.string() }),
    objects: fc.array(fc.record({ a: fc.integer() }), { minLength: 1 }),
  },
  { requiredKeys: [] },
)

describe.each([URL_ENCODED, MULTIPART])('%s', (type) => {
  const { form, found } = formOf(type)

  test('of a valid object is valid', () => {
    fc.assert(
      fc.property(values, (value) => {
        const written = writeForm(form, value)
        expect(written && found(written.body, written.type)).toEqual([])
      }),
    )
  })

  test('can be parsed by the platform', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const written = writeForm(form, value)
        if (!written || written.body === '') return
        const headers = { 'content-type': written.type }
        const read = await new Response(written.body, { headers }).formData()
        for (const [name, it] of Object.entries(value)) {
          const texts = [it]
            .flat()
            .map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one)))
          expect(read.getAll(name)).toEqual(texts)
        }
      }),
    )
  })
})

test('recognizes files of a multipart form, and leaves them out', () => {
  const { form, write } = formOf(MULTIPART, { text: { contentType: 'image/png, image/jpeg' } })
  expect([...form.files].sort()).toEqual(['bytes', 'text'])
  expect(write({ text: 'a', bytes: 'b', number: 1 })).not.toMatch(/"(text|bytes)"/)
  expect(formOf(URL_ENCODED).form.files.size).toBe(0)
})

test('has a boundary that occurs in no field', () => {
  const { form } = formOf(MULTIPART)
  const { body = '', type = '' } = writeForm(form, { text: 'form-boundary form-boundary-0' }) ?? {}
  expect(type).toBe('multipart/form-data; boundary=form-boundary-1')
  expect(body).toContain('--form-boundary-1--')
})
