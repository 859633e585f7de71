import { describe, expect, it } from 'vitest'
import { createValidator } from '../src/index.ts'
import { brief } from './contract.ts'

const URL_ENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

const schema = {
  type: 'object',
  required: ['n', 's'],
  properties: {
    n: { type: 'integer', maximum: 9 },
    s: { type: 'string', minLength: 2 },
    b: { type: 'boolean' },
    l: { type: 'array', items: { type: 'integer' } },
    o: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
    os: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } },
    file: { type: 'string', maxLength: 1 },
    id: { type: 'string', readOnly: true },
  },
  additionalProperties: { type: 'boolean' },
}

interface Given {
  readonly schema?: object
  readonly encoding?: object
  readonly type?: string
}

/** The locations and keywords of the findings of a form body. */
function found(body: unknown, { type = URL_ENCODED, encoding, ...given }: Given = {}): string[] {
  const [range = ''] = type.split(';')
  const media = { schema, ...given, ...(encoding && { encoding }) }
  const post = { requestBody: { required: true, content: { [range]: media } } }
  const validator = createValidator({ openapi: '3.1.0', paths: { '/it': { post } } })
  const headers = { 'content-type': type }
  return brief(validator.validateRequest({ method: 'POST', path: '/it', headers, body }))
}

describe.each([
  ['a text', (text: string) => text],
  ['a URLSearchParams', (text: string) => new URLSearchParams(text)],
  ['the object of a framework', objectOf],
])('a URL-encoded form as %s', (_, of) => {
  it.each([
    ['numbers and texts', 'n=7&s=77', []],
    ['an invalid number', 'n=7x&s=77', ['body/n type']],
    ['a violated keyword', 'n=10&s=7', ['body/n maximum', 'body/s minLength']],
    ['missing fields', 'b=true', ['body/n required', 'body/s required']],
    ['an invalid boolean', 'n=1&s=77&b=yes', ['body/b type']],
    ['an array with a field per item', 'n=1&s=77&l=1&l=2', []],
    ['a list of one', 'n=1&s=77&l=1', []],
    ['a wrong item', 'n=1&s=77&l=1&l=b', ['body/l/1 type']],
    ['one value twice', 'n=1&n=2&s=77', ['body/n type']],
    ['an object as JSON', `n=1&s=77&o=${encodeURIComponent('{"a":1}')}`, []],
    ['a wrong object', `n=1&s=77&o=${encodeURIComponent('{"a":"1"}')}`, ['body/o/a type']],
    ['an object that is not JSON', 'n=1&s=77&o=a,1', ['body/o type']],
    ['a property of another name', 'n=1&s=77&other=true', []],
    ['a wrong one of another name', 'n=1&s=77&other=1', ['body/other type']],
    ['escapes and spaces', 'n=1&s=%C3%A9+', []],
  ])('is read: %s', (_, text, findings) => {
    expect(found(of(text))).toEqual(findings)
  })
})

function objectOf(text: string): object {
  const pairs = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(pairs.keys())].map((name) => {
      const values = pairs.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

describe('an object with parsed values', () => {
  it('is validated as it is', () => {
    expect(found({ n: 1, s: 'ab', l: [1], o: { a: 1 } })).toEqual([])
    expect(found({ n: 1, s: 7 })).toEqual(['body/s type'])
    expect(found([])).toEqual(['body type'])
  })
})

describe('an encoding', () => {
  const rest = 'n=1&s=77'
  it.each([
    ['with commas', { l: { style: 'form', explode: false } }, 'l=1,2', 'l=1,b', 'body/l/1 type'],
    ['with brackets', { o: { style: 'deepObject' } }, 'o[a]=1', 'o[a]=b', 'body/o/a type'],
    [
      'with brackets of a list',
      { os: { style: 'deepObject' } },
      'os[0][a]=1',
      'os[0][a]=b',
      'body/os/0/a type',
    ],
    ['of properties that are spread', { o: { style: 'form' } }, 'a=1', 'a=b', 'body/o/a type'],
    ['as JSON', { l: { contentType: 'application/json' } }, 'l=[1,2]', 'l=[1,"b"]', 'body/l/1 type'],
  ])('is parsed %s', (_, encoding, right, wrong, finding) => {
    expect(found(`${rest}&${right}`, { encoding })).toEqual([])
    expect(found(`${rest}&${wrong}`, { encoding })).toEqual([finding])
  })
})

describe('branches', () => {
  const branch = (kind: string, type: string) => ({
    type: 'object',
    required: ['kind', 'value'],
    properties: { kind: { const: kind }, value: { type } },
  })
  const branches = { schema: { oneOf: [branch('text', 'string'), branch('number', 'integer')] } }
  it.each([
    ['kind=text&value=5', []],
    ['kind=number&value=5', []],
    ['kind=number&value=x', ['body/value type']],
  ])('parse each field by its encoding: %s', (text, findings) => {
    expect(found(text, branches)).toEqual(findings)
  })
})

describe('a multipart form', () => {
  const type = `${MULTIPART}; boundary="a+b"`
  const part = (name: string, text: string, more = '') =>
    `--a+b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`
  const whole = (...parts: string[]) => `${parts.join('')}--a+b--\r\n`

  it.each([
    ['valid fields', whole(part('n', '7'), part('s', 'a\r\n\r\nb')), []],
    ['a violated keyword', whole(part('n', '10'), part('s', 'a')), ['body/n maximum', 'body/s minLength']],
    ['missing fields', whole(part('n', '1')), ['body/s required']],
    ['a list', whole(part('n', '1'), part('s', 'ab'), part('l', '1'), part('l', 'b')), ['body/l/1 type']],
    ['an object, as JSON', whole(part('n', '1'), part('s', 'ab'), part('o', '{"a":"1"}')), ['body/o/a type']],
    [
      'an object with a JSON media type',
      whole(part('n', '1'), part('s', 'ab'), part('o', '{"a":1}', '\r\nContent-Type: application/json')),
      [],
    ],
    [
      'a string with a JSON media type',
      whole(part('n', '1'), part('s', '{}', '\r\nContent-Type: application/json')),
      [],
    ],
    ['nothing', whole(), ['body/n required', 'body/s required']],
    ['a missing end', part('n', '1'), ['body type']],
    ['another boundary', whole(part('n', '1'), part('s', 'ab')).replaceAll('a+b', 'aab'), ['body type']],
    ['lines that end with LF alone', whole(part('n', '1'), part('s', 'ab')).replaceAll('\r', ''), []],
    ['text before it', `preamble\r\n${whole(part('n', '1'), part('s', 'ab'))}epilogue`, []],
  ])('is read: %s', (_, body, findings) => {
    expect(found(body, { type })).toEqual(findings)
  })

  it('may have files, of which only the presence is validated', () => {
    const rest = [part('n', '1'), part('s', 'ab')]
    expect(found(whole(...rest, part('file', 'abc', '; filename="a.txt"')), { type })).toEqual([])
    expect(found(whole(...rest, part('file', 'abc')), { type })).toEqual(['body/file maxLength'])
    const required = { schema: { ...schema, required: ['file'] } }
    expect(found(whole(...rest), { type, ...required })).toEqual(['body/file required'])
  })

  it('may be a FormData', () => {
    const form = new FormData()
    form.append('n', '1')
    form.append('s', 'a')
    form.append('file', new Blob(['abc']))
    expect(found(form, { type: MULTIPART })).toEqual(['body/s minLength'])
  })

  it('may be an object', () => {
    expect(found({ n: '1', s: 'a' }, { type: MULTIPART })).toEqual(['body/s minLength'])
  })
})

describe('validateValue', () => {
  it('parses a body of a media type', () => {
    const content = { [URL_ENCODED]: { schema, encoding: { l: { style: 'form', explode: false } } } }
    const paths = { '/it': { post: { requestBody: { content } } } }
    const validator = createValidator({ openapi: '3.1.0', paths })
    const pointer = '/paths/~1it/post/requestBody/content/application~1x-www-form-urlencoded/schema'
    const given = (text: string) =>
      brief(validator.validateValue(pointer, text, { contentType: URL_ENCODED, direction: 'to-service' }))
    expect(given('n=1&s=77&l=1,2')).toEqual([])
    expect(given('n=1&s=77&l=1,b')).toEqual(['body/l/1 type'])
  })
})

describe('a text', () => {
  const text = (schema: object, body: string, type = 'text/plain') => found(body, { schema, type })

  it('is converted to the types of its schema', () => {
    expect(text({ type: 'integer' }, '5')).toEqual([])
    expect(text({ type: 'integer' }, 'x')).toEqual(['body type'])
    expect(text({ oneOf: [{ type: 'integer' }, { const: 'all' }] }, '5')).toEqual([])
    expect(text({ type: 'string', maxLength: 1 }, '55')).toEqual(['body maxLength'])
  })

  it('of an unsupported format is not validated', () => {
    expect(text({ type: 'object' }, '<a/>', 'text/xml')).toEqual([])
    expect(text({ type: 'string', maxLength: 1 }, '<a/>', 'text/xml')).toEqual([])
    expect(text({ type: 'array' }, 'a,b', 'text/csv')).toEqual([])
  })
})
