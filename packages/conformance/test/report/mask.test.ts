import { expect, test } from 'vitest'
import { createMask, type Mask } from '../../src/report/mask.ts'

function masked(secret: string, text: string): string {
  const mask = createMask()
  mask.add(secret, '$SECRET')
  return mask.text(text)
}

test('it hides a secret everywhere', () => {
  expect(masked('hunter22', 'curl -u me:hunter22 {"note":"hunter22","x":["hunter22"]}')).toBe(
    'curl -u me:$SECRET {"note":"$SECRET","x":["$SECRET"]}',
  )
})

test('it shows the name of a field that equals a secret', () => {
  expect(masked('client', '{"client":"client"}')).toBe('{"client":"$SECRET"}')
})

test('it hides a short secret only as a complete value', () => {
  expect(masked('pix', '/pix/key pix "pix-1" {"pix":1} 7pix')).toBe(
    '/pix/key pix "pix-1" {"pix":1} 7pix',
  )
  expect(masked('a', '{"a":"a","list":["a","b"],"note":"a charge"}')).toBe(
    '{"a":"$SECRET","list":["$SECRET","b"],"note":"a charge"}',
  )
  expect(masked('ab1', '?key=ab1&other=ab12')).toBe('?key=$SECRET&other=ab12')
  expect(masked('ab1', 'key=ab1; theme=dark')).toBe('key=$SECRET; theme=dark')
  expect(masked('ab1', 'Bearer ab1')).toBe('Bearer $SECRET')
  expect(masked('ab1', 'Basic ab1')).toBe('Basic $SECRET')
  expect(masked('ab1', 'ab1')).toBe('$SECRET')
})

test('it hides a secret in a text that it has shown before', () => {
  const mask = createMask()
  expect(mask.text('the note hunter22')).toBe('the note hunter22')

  mask.add('hunter22', '$SECRET')
  expect(mask.text('the note hunter22')).toBe('the note $SECRET')

  mask.pin('the note', '$PINNED')
  expect(mask.text('the note hunter22')).toBe('$PINNED $SECRET')
})

test('it does not hide empty strings', () => {
  expect(masked('', 'a text')).toBe('a text')
})

test('it hides a secret that contains another one', () => {
  const mask = createMask()
  mask.pin('hunter22', '$SECRET')
  mask.add('hunter22-and-more', '$TOKEN')
  expect(mask.text('hunter22 hunter22-and-more')).toBe('$SECRET $TOKEN')
})

let responses = 0

/** Adds the secrets of this many responses. */
function addResponses(count: number, mask: Mask): void {
  for (let i = 0; i < count; i++) {
    mask.add(`secret-of-response-${responses}-`, '$SECRET')
    responses++
  }
}

test('it always hides the given credentials', () => {
  const mask = createMask()
  mask.pin('hunter22', '$CLIENT_SECRET')
  mask.pin('hunter22', '$OTHER_SECRET')
  mask.add('hunter22', '$TOKEN')
  addResponses(5_000, mask)
  const newest = `secret-of-response-${responses - 1}-`
  expect(mask.text(`hunter22 ${newest}`)).toBe('$CLIENT_SECRET $SECRET')
})

test('it forgets the oldest secrets of responses first', () => {
  const mask = createMask()
  mask.add('token-of-a-partner', '$TOKEN')
  addResponses(1_500, mask)
  mask.add('token-of-a-partner', '$TOKEN')
  addResponses(1_500, mask)
  expect(mask.text('token-of-a-partner')).toBe('$TOKEN')
  addResponses(5_000, mask)
  expect(mask.text('token-of-a-partner')).toBe('token-of-a-partner')
})

test('it hides secrets by the names of their fields, and by their format', () => {
  expect(masked('hunter22', '{"refresh_token":"abc","webhook":"whsec_QUJD"}')).toBe(
    '{"refresh_token":"***","webhook":"whsec_***"}',
  )
})

const NAMED_FIELDS = [
  {
    text: '{"secret":["a-b","c\\"d"],"type":"all"}',
    expected: '{"secret":["***","***"],"type":"all"}',
  },
  {
    text: '{"password":{"old":"a","new":[{"text":"b"}]},"n":1}',
    expected: '{"password":{"old":"***","new":[{"text":"***"}]},"n":1}',
  },
  {
    text: '{"secret":5,"password":"","client_secret":"cut',
    expected: '{"secret":5,"password":"","client_secret":"***"',
  },
  {
    text: '{"url":"https://shop.example/?a=b&token=c"}',
    expected: '{"url":"https://shop.example/?a=b&token=***"}',
  },
  {
    text: '{"accessToken":"a","apiKey":"b","clientSecret":"c","initiation_id":"d"}',
    expected: '{"accessToken":"***","apiKey":"***","clientSecret":"***","initiation_id":"***"}',
  },
  {
    text: '{"token":"a","Api-Key":"b","CLIENT_SECRET":"c","x":{"authorization":"d"}}',
    expected: '{"token":"***","Api-Key":"***","CLIENT_SECRET":"***","x":{"authorization":"***"}}',
  },
  {
    text: String.raw`{"access\u005ftoken":"a"}`,
    expected: String.raw`{"access\u005ftoken":"***"}`,
  },
  {
    text: String.raw`{"body":"{\"apiKey\":\"a\",\"id\":\"b\"}"}`,
    expected: String.raw`{"body":"{\"apiKey\":\"***\",\"id\":\"b\"}"}`,
  },
  {
    text: String.raw`{"a":"{\"b\":\"{\\\"secret\\\":\\\"x\\\"}\"}","c":1}`,
    expected: String.raw`{"a":"{\"b\":\"{\\\"secret\\\":\\\"***\\\"}\"}","c":1}`,
  },
  {
    text: String.raw`{"a":"{\"secret\":\"x\\\"y\",\"b\":1}"}`,
    expected: String.raw`{"a":"{\"secret\":\"***\",\"b\":1}"}`,
  },
  {
    text: String.raw`{"url":"https:\/\/me:a@shop.example\/?a\u003d1\u0026token\u003da"}`,
    expected: String.raw`{"url":"https:\/\/***@shop.example\/?a=1&token=***"}`,
  },
  { text: '{"x":"Bearer a1","y":"a Bearer b"}', expected: '{"x":"Bearer ***","y":"a Bearer b"}' },
  { text: '{"apiKey":1234567890}', expected: '{"apiKey":***}' },
  { text: '{"token_type":"Bearer","token":5}', expected: '{"token_type":"Bearer","token":5}' },
  { text: '/hook?apikey=a&b=c', expected: '/hook?apikey=***&b=c' },
  { text: 'client_secret=a&grant_type=b', expected: 'client_secret=***&grant_type=b' },
  { text: 'https://me:a@shop.example/', expected: 'https://***@shop.example/' },
]

test('it reads a long text once', () => {
  for (const part of ['"', '\\"', '"a":', 'token', '=', '&a', '://', '{"secret":']) {
    const text = part.repeat(100_000)
    // A quadratic time would be hours.
    expect(createMask().text(text).length).toBeGreaterThan(0)
  }
})

for (const { text, expected } of NAMED_FIELDS) {
  test(`it hides the secrets in ${text}`, () => {
    expect(masked('hunter22', text)).toBe(expected)
  })
}
