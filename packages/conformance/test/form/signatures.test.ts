import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  describeScheme,
  findScheme,
  isSigned,
  parseScheme,
  type SignatureScheme,
} from '../../src/form/signatures.ts'
import type { RecordedDelivery } from '../../src/history.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const TEXT = '{"event":"pix.sent"}'
const TIME = '1780000000'

function delivery(headers: Readonly<Record<string, string>>): RecordedDelivery {
  return {
    type: 'delivery',
    completeAt: 1,
    url: 'http://127.0.0.1:1/',
    headers: { 'content-type': 'application/json', ...headers },
    text: TEXT,
    status: 204,
  }
}

const ofText = (text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', SECRET).update(text).digest(encoding)

test.each([
  {
    title: 'a prefix before hexadecimal digits',
    headers: { 'x-hub-signature-256': `sha256=${ofText(TEXT)}` },
    words: 'x-hub-signature-256: sha256=hex',
  },
  {
    title: 'base64 alone',
    headers: { 'x-signature': ofText(TEXT, 'base64') },
    words: 'x-signature: base64',
  },
  {
    title: 'a time in another header',
    headers: { 'x-time': TIME, 'x-signature': ofText(`${TIME}.${TEXT}`) },
    words: 'x-signature: hex',
  },
  {
    title: 'an id and a time',
    headers: {
      'x-event-id': 'evt_1',
      'x-time': TIME,
      'x-signature': ofText(`evt_1.${TIME}.${TEXT}`),
    },
    words: 'x-signature: hex',
  },
])('it finds a signature with $title', ({ headers, words }) => {
  const scheme = findScheme(delivery(headers), ['whsec_other', SECRET])
  expect(scheme && describeScheme(scheme)).toBe(words)
})

test('it finds no scheme in a delivery that is signed with the secret of nobody', () => {
  const signed = delivery({ 'x-signature': ofText(TEXT) })
  expect(findScheme(signed, ['whsec_other'])).toBeUndefined()
})

test('it verifies by a learned scheme with the secret that signed, and with no other', () => {
  const signed = delivery({ 'x-signature': ofText(TEXT) })
  const scheme = findScheme(signed, [SECRET]) as SignatureScheme
  expect(isSigned(signed, SECRET, scheme)).toBe(true)
  expect(isSigned(signed, 'whsec_other', scheme)).toBe(false)
  expect(isSigned({ ...signed, text: `${TEXT} ` }, SECRET, scheme)).toBe(false)
})

test.each(['x-signature: sha256=hex', 'x-signature: base64'])('it reads %s', (text) => {
  const scheme = parseScheme(text)
  expect(scheme && describeScheme(scheme)).toBe(text)
})

test.each(['x-signature', 'sha256=hex', 'x signature: hex', 'x-signature: md5'])(
  'it refuses %s',
  (text) => {
    expect(parseScheme(text)).toBeUndefined()
  },
)
